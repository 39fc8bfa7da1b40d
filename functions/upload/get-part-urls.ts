import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { AnswerIsoTime } from '../../shared/http/fields.ts'
import { isoTime } from '../../shared/library/time.ts'
import { partRequests } from '../../shared/library/uploads/part-uploads.ts'
import { PartNumber, uploadIdParam } from './multipart-schema.ts'

export const getPartUrls = endpoint({
  route: 'POST /upload/multipart/{uploadId}/parts',
  summary: 'Get the URLs to put parts of an upload to',
  description:
    'A URL is good for an hour; ask for it again at any time. Send the bytes of the part with `PUT`, its `headers` and a `Content-Length`. ' +
    "Storage answers 200 with the part's `ETag`. A part may be sent again: the last one counts.",
  access: 'user',
  idempotent: true,
  uses: { table: 'write', partUploads: 'sign' },
  params: uploadIdParam,
  body: z.object({ parts: z.array(PartNumber).min(1).max(100) }).meta({ id: 'WantedParts', examples: [{ parts: [1, 2, 3, 4] }] }),
  returns: z
    .object({
      urls: z.array(
        z.object({
          part: PartNumber,
          method: z.literal('PUT'),
          url: z.string().meta({ format: 'uri', examples: ['https://uploads.example.com/Zl8vQx2y/file?partNumber=1'] }),
          headers: z.record(z.string(), z.string()).meta({ description: 'send them with it', examples: [{}] }),
          expires: AnswerIsoTime,
        }),
      ),
    })
    .meta({ id: 'PartUrls' }),
  refuses: ['not found', 'conflict', 'gone'],
  async handle({ params, body, ...library }) {
    const { expires, requests } = await partRequests(library, params.uploadId, body.parts)
    return { urls: requests.map(({ part, url, headers }) => ({ part, method: 'PUT' as const, url, headers, expires: isoTime(expires) })) }
  },
})
