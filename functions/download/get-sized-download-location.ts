import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { renditionOnDemand } from '../../shared/library/downloads/on-demand.ts'
import { renditionOf, sizedDownloadUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { renditionSizes } from '../../shared/library/media/media.ts'
import { attributedUser, DownloadLocation, DownloadQuery, downloadLocationJson, logged, writing } from './schema.ts'

export const getSizedDownloadLocation = endpoint({
  route: 'GET /media/{id}/download_location/{size}',
  summary: 'Get a URL, good for five minutes, from which one size of an image can be downloaded',
  description:
    'Sizes are pixels of the longest side, never more than the original has. Those that are JPEGs carry the metadata that originals ' +
    'carry. 404 where the file has no picture to make a size of. Needs READ on a folder that holds the file.',
  access: 'user or application',
  ...writing,
  params: { id: MediaIdText, size: z.enum(renditionSizes) },
  query: DownloadQuery,
  returns: DownloadLocation,
  refuses: ['conflict'],
  async handle({ params: { id, size }, query, ...library }) {
    const media = await availableMediaWith(library, 'READ', id)
    const user = await attributedUser(library, query.user)
    const { key, metadataWritten } = await renditionOnDemand(library, media, renditionOf(media, size))
    const url = await logged(library, media, { size, user, info: query.download_info }, sizedDownloadUrl(library, media, size, key))
    return downloadLocationJson(url, metadataWritten)
  },
})
