import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { abortPartUpload } from '../../shared/library/uploads/part-uploads.ts'
import { uploadIdParam } from '../upload/multipart-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingParts } from './visiting.ts'

export const abortSharedMultipartUpload = endpoint({
  route: 'DELETE /s/{secret}/upload/multipart/{uploadId}',
  summary: 'Give up an upload in parts by a share link',
  description: 'Frees its parts, and its room. For whoever has the link and the id. 409 `upload_finalized` once it is a file.',
  ...byShareLink,
  ...sendingParts,
  freesSpace: true,
  params: { ...secretParam, ...uploadIdParam },
  returns: Empty,
  refuses: ['conflict', 'gone'],
  async handle({ params, ...library }) {
    await abortPartUpload(library, params.uploadId)
    return {}
  },
})
