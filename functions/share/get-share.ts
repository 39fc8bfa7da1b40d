import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { getShare as get } from '../../shared/library/shares/manage.ts'
import { sharedUploads } from '../../shared/library/uploads/shared-uploads.ts'
import { Share, sharedUploadJson, shareIdParam, shownShareJson } from './schema.ts'

export const getShare = endpoint({
  route: 'GET /share/{shareId}',
  summary: 'See a share link, how often it was used, and what is being sent by it',
  description:
    'For its maker, who is told the address, and for admins of the company, who are not. They give up what is being sent with `DELETE /upload/multipart/{uploadId}`, a form as well as parts.',
  access: 'user',
  uses: { table: 'read', apiSecretsKey: 'read' },
  params: shareIdParam,
  returns: Share,
  async handle({ params, baseUrl, ...library }) {
    const counted = await get(library, params.shareId)
    const uploads = await sharedUploads(library, params.shareId)
    return { ...(await shownShareJson(library, baseUrl, counted)), open_uploads: uploads.map(sharedUploadJson) }
  },
})
