import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { download, locateSize } from '../../shared/library/downloads/download.ts'
import { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import { DownloadLocation, DownloadQuery, downloadLocationJson, writing } from './schema.ts'

export const getSizedDownloadLocation = endpoint({
  route: 'GET /media/{id}/download_location/{size}',
  summary: 'Get a URL, good for five minutes, from which one size of an image, or the preview of a video, can be downloaded',
  description:
    'Sizes are pixels of the longest side, never more than the original has. Those that are JPEGs carry the metadata that originals ' +
    'carry. Of a video there is one preview, whatever the size: an MP4 of at most 1,280 pixels width. Until it is made it is 409 ' +
    '`preview_pending`, and `Retry-After` says when to ask again. 404 where the file has nothing to make a size of. Needs READ on a folder ' +
    'that holds the file. Items of the stock library have the same sizes, for those who may download their originals.',
  access: 'user or application',
  ...writing,
  uses: { ...writing.uses, stock: 'sizes' },
  params: { id: MediaIdText, size: z.enum(renditionSizes) },
  query: DownloadQuery,
  returns: DownloadLocation,
  refuses: ['conflict'],
  async handle({ params: { id, size }, query: { user, download_info: info }, ...library }) {
    return downloadLocationJson(await download(library, id, { size, user, info }, (media) => locateSize(library, media, size)))
  },
})
