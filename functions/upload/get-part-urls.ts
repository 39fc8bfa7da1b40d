import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { partRequests } from '../../shared/library/uploads/part-uploads.ts'
import { PartUrls, partUrlsJson, uploadIdParam, WantedParts } from './multipart-schema.ts'

export const getPartUrls = endpoint({
  route: 'POST /upload/multipart/{uploadId}/parts',
  summary: 'Get the URLs to put parts of an upload to',
  description:
    'A URL is good for an hour; ask for it again at any time. Send the bytes of the part with `PUT`, its `headers` and a `Content-Length`. ' +
    "Storage answers 200 with the part's `ETag`, and 403 where the length is another one than the part's. A part may be sent again: the last one counts.",
  access: 'user',
  idempotent: true,
  uses: { table: 'write', partUploads: 'sign' },
  params: uploadIdParam,
  body: WantedParts,
  returns: PartUrls,
  refuses: ['not found', 'conflict', 'gone'],
  async handle({ params, body, ...library }) {
    return partUrlsJson(await partRequests(library, params.uploadId, body.parts))
  },
})
