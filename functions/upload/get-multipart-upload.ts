import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { AnswerMediaId } from '../../shared/http/fields.ts'
import { readPartUpload, stateOf } from '../../shared/library/uploads/part-uploads.ts'
import { PartNumber, uploadIdParam } from './multipart-schema.ts'

export const getMultipartUpload = endpoint({
  route: 'GET /upload/multipart/{uploadId}',
  summary: 'See which parts of an upload have arrived',
  description: 'For the user who began it. 404 once it was given up, 410 when no part came for 7 days.',
  access: 'user',
  uses: { table: 'read', partUploads: 'read' },
  params: uploadIdParam,
  returns: z
    .object({
      state: z.enum(['open', 'finalizing', 'finalized', 'aborted']),
      bytes: z
        .number()
        .int()
        .meta({ description: 'size of the whole file', examples: [3_221_225_472] }),
      part_bytes: z
        .number()
        .int()
        .meta({ examples: [8_388_608] }),
      received: z
        .array(
          z.object({
            part: PartNumber,
            bytes: z
              .number()
              .int()
              .meta({ examples: [8_388_608] }),
            etag: z.string().meta({ description: 'MD5 of the part, in hex', examples: ['9e107d9d372bb6826bd81d3542a419d6'] }),
          }),
        )
        .describe('by number; empty once it is finalized'),
      media_id: AnswerMediaId.optional().describe('once it is finalized'),
    })
    .meta({ id: 'MultipartUploadState' }),
  refuses: ['not found', 'gone'],
  async handle({ params, ...library }) {
    const { upload, received } = await readPartUpload(library, params.uploadId)
    return {
      state: stateOf(upload),
      bytes: upload.parts.bytes,
      part_bytes: upload.parts.partBytes,
      received: received.map(({ number, bytes, etag }) => ({ part: number, bytes, etag })),
      ...(upload.mediaId !== undefined && { media_id: upload.mediaId }),
    }
  },
})
