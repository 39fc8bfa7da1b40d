import { endpoint } from '../../shared/http/endpoint.ts'
import { getShare as get } from '../../shared/library/shares/manage.ts'
import { sharedUploads } from '../../shared/library/uploads/shared-uploads.ts'
import { Share, sharedUploadJson, shareIdParam, shareJson } from './schema.ts'

export const getShare = endpoint({
  route: 'GET /share/{shareId}',
  summary: 'See a share link, how often it was used, and what is being sent by it',
  description:
    'For its maker, and for admins of the company. They give up what is being sent with `DELETE /upload/multipart/{uploadId}`, a form as well as parts.',
  access: 'user',
  uses: { table: 'read' },
  params: shareIdParam,
  returns: Share,
  async handle({ params, ...library }) {
    const counted = await get(library, params.shareId)
    const uploads = await sharedUploads(library, params.shareId)
    return { ...shareJson(counted), open_uploads: uploads.map(sharedUploadJson) }
  },
})
