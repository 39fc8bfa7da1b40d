import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { renditionOnDemand } from '../../shared/library/downloads/on-demand.ts'
import { findPreview, previewDownloadUrl } from '../../shared/library/encodings/preview.ts'
import { renditionOf, sizedDownloadUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { renditionSizes } from '../../shared/library/vocabulary/rendition-size.ts'
import { attributedUser, DownloadLocation, DownloadQuery, downloadLocationJson, logged, writing } from './schema.ts'

export const getSizedDownloadLocation = endpoint({
  route: 'GET /media/{id}/download_location/{size}',
  summary: 'Get a URL, good for five minutes, from which one size of an image, or the preview of a video, can be downloaded',
  description:
    'Sizes are pixels of the longest side, never more than the original has. Those that are JPEGs carry the metadata that originals ' +
    'carry. Of a video there is one preview, whatever the size: an MP4 of at most 1,280 pixels width. Until it is made it is 409 ' +
    '`preview_pending`, and `Retry-After` says when to ask again. 404 where the file has nothing to make a size of. Needs READ on a folder ' +
    'that holds the file.',
  access: 'user or application',
  ...writing,
  params: { id: MediaIdText, size: z.enum(renditionSizes) },
  query: DownloadQuery,
  returns: DownloadLocation,
  refuses: ['conflict'],
  async handle({ params: { id, size }, query, ...library }) {
    const media = await availableMediaWith(library, 'READ', id)
    const user = await attributedUser(library, query.user)
    const download = { size, user, info: query.download_info }
    const preview = await findPreview(library, media)
    if (preview !== undefined) {
      return downloadLocationJson(await logged(library, media, download, previewDownloadUrl(library, media, preview)), true)
    }
    const { key, metadataWritten } = await renditionOnDemand(library, media, renditionOf(media, size))
    const url = await logged(library, media, download, sizedDownloadUrl(library, media, size, key))
    return downloadLocationJson(url, metadataWritten)
  },
})
