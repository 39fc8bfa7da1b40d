import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { readPartUpload } from '../../shared/library/uploads/part-uploads.ts'
import { stateJson, uploadIdParam, uploadState } from './multipart-schema.ts'

export const getMultipartUpload = endpoint({
  route: 'GET /upload/multipart/{uploadId}',
  summary: 'See which parts of an upload have arrived',
  description: 'For the user who began it. 404 once it was given up, 410 when no part came for 7 days.',
  access: 'user',
  uses: { table: 'read', partUploads: 'read' },
  params: uploadIdParam,
  returns: z.object(uploadState).meta({ id: 'MultipartUploadState' }),
  refuses: ['not found', 'gone'],
  async handle({ params, ...library }) {
    return stateJson(await readPartUpload(library, params.uploadId))
  },
})
