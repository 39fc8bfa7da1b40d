import { byShareLink } from '../../shared/http/declaration/by-share-link.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { sharedPartRequests } from '../../shared/library/uploads/part-uploads.ts'
import { PartUrls, partUrlsJson, uploadIdParam, WantedParts } from '../upload/multipart-schema.ts'
import { secretParam } from './secret-param.ts'
import { sendingParts } from './visiting.ts'

export const getSharedPartUrls = endpoint({
  route: 'POST /s/{secret}/upload/multipart/{uploadId}/parts',
  summary: 'Get the URLs to put parts of an upload by a share link to',
  description:
    'As `POST /upload/multipart/{uploadId}/parts`. For whoever has the link and the id. What the URLs allow counts from now on: 409 `share_full` where ' +
    'the link has no room for it, or half of what the link or the company takes was handed out to the sender and has not arrived; `quota_exceeded` ' +
    'where the company has none. The upload ends a day after the last URL.',
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
