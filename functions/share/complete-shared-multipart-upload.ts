import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { completePartUpload } from '../../shared/library/uploads/complete-parts.ts'
import { CompletedMedia, CompleteUploadInput, uploadIdParam } from '../upload/multipart-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingParts } from './visiting.ts'

export const completeSharedMultipartUpload = endpoint({
  route: 'POST /s/{secret}/upload/multipart/{uploadId}/complete',
  summary: 'Make a file of the parts of an upload by a share link',
  description:
    'Asks for the same as its beginning: a link that takes files no more is 403, one that has ended 404, and the upload becomes no file. Otherwise as ' +
    '`POST /upload/multipart/{uploadId}/complete`.',
  ...byShareLink,
  ...sendingParts,
  timeoutSeconds: 29,
  memoryMb: 1769,
  params: { ...secretParam, ...uploadIdParam },
  body: CompleteUploadInput,
  returns: CompletedMedia,
  refuses: ['conflict', 'gone', 'mismatch'],
  async handle({ params, body, settings, ...library }) {
    return { media_id: await completePartUpload({ ...library, limits: settings }, params.uploadId, body.md5) }
  },
})
