import * as z from 'zod'
import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { readPartUpload } from '../../shared/library/uploads/part-uploads.ts'
import { stateJson, uploadIdParam, uploadState } from '../upload/multipart-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingParts } from './visiting.ts'

export const getSharedMultipartUpload = endpoint({
  route: 'GET /s/{secret}/upload/multipart/{uploadId}',
  summary: 'See which parts of an upload by a share link have arrived',
  description:
    'For whoever has the link and the id. 404 once it was given up, 410 when nothing more came for a day, or the link took no files meanwhile.',
  ...byShareLink,
  ...sendingParts,
  params: { ...secretParam, ...uploadIdParam },
  returns: z.object({ filename: z.string().meta({ examples: ['harbour.mov'] }), ...uploadState }).meta({ id: 'SharedUploadState' }),
  refuses: ['gone'],
  async handle({ params, ...library }) {
    const found = await readPartUpload(library, params.uploadId)
    return { filename: found.upload.filename, ...stateJson(found) }
  },
})
