import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { openShare } from '../../shared/library/shares/visit.ts'
import { finalizeUpload } from '../../shared/library/uploads/uploads.ts'
import { CompletedMedia } from '../upload/multipart-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingForms } from './visiting.ts'

export const finalizeSharedUpload = endpoint({
  route: 'GET /s/{secret}/upload/finalize/{uploadId}',
  summary: 'Finalize an upload by a share link: storage redirects here',
  description:
    'Starts the import. Finalizing again gives the same file. A browser that comes from storage brings no cookie, so no password is asked for: the id ' +
    'is told to nobody but who registered the upload. 403 `password_required` where the link has another password since, and 404 where it has ended: then ' +
    'the upload becomes no file. 409 before anything was posted, `share_full` where the link has no room for it, and `quota_exceeded` as for other uploads.',
  access: 'anyone',
  ...sendingForms,
  params: { ...secretParam, uploadId: z.string().meta({ minLength: 1, examples: ['Zl8vQx2y'] }) },
  query: z.object({ key: z.string().optional().describe('added by storage: what was posted') }),
  returns: CompletedMedia,
  refuses: ['forbidden', 'not found', 'conflict', 'too large'],
  async handle({ params: { secret, uploadId }, query, settings, ...library }) {
    const { share } = await openShare(library, secret)
    return { media_id: await finalizeUpload({ ...library, share: { ...share, limits: settings } }, uploadId, query.key) }
  },
})
