import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { abortPartUpload } from '../../shared/library/uploads/part-uploads.ts'
import { uploadIdParam } from './multipart-schema.ts'

export const abortMultipartUpload = endpoint({
  route: 'DELETE /upload/multipart/{uploadId}',
  summary: 'Give up an upload in parts',
  description:
    'Frees its parts, and its room. For the user who began it; for the maker of a share link and admins of the company what is being sent by the link, ' +
    'as `GET /share/{shareId}` lists it. 409 `upload_finalized` once it is a file.',
  access: 'user',
  freesSpace: true,
  idempotent: true,
  uses: { table: 'write', partUploads: 'end' },
  params: uploadIdParam,
  returns: Empty,
  refuses: ['not found', 'conflict'],
  async handle({ params, ...library }) {
    await abortPartUpload(library, params.uploadId)
    return {}
  },
})
