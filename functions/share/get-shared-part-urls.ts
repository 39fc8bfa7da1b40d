import { endpoint } from '../../shared/http/endpoint.ts'
import { byShareLink } from '../../shared/http/middleware/open-share.ts'
import { sharedPartRequests } from '../../shared/library/uploads/part-uploads.ts'
import { PartUrls, partUrlsJson, uploadIdParam, WantedParts } from '../upload/multipart-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingParts } from './visiting.ts'

export const getSharedPartUrls = endpoint({
  route: 'POST /s/{secret}/upload/multipart/{uploadId}/parts',
  summary: 'Get the URLs to put parts of an upload by a share link to',
  description: 'As `POST /upload/multipart/{uploadId}/parts`. For whoever has the link and the id.',
  ...byShareLink,
  ...sendingParts,
  params: { ...secretParam, ...uploadIdParam },
  body: WantedParts,
  returns: PartUrls,
  refuses: ['conflict', 'gone'],
  async handle({ params, body, settings, ...library }) {
    return partUrlsJson(await sharedPartRequests({ ...library, limits: settings }, params.uploadId, body.parts))
  },
})
