import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { originalOnDemand } from '../../shared/library/downloads/on-demand.ts'
import { downloadUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { attributedUser, DownloadLocation, DownloadQuery, downloadLocationJson, logged, writing } from './schema.ts'

export const getDownloadLocation = endpoint({
  route: 'GET /media/{id}/download_location',
  summary: 'Get a URL, good for five minutes, from which the file can be downloaded',
  description:
    "The URL delivers the original under its own name; JPEG, PNG and TIFF carry the library's title, copyright, description and " +
    'keywords. They are written when they are first asked for, which for files above 100 MB may take longer than a request: 409 ' +
    '`download_pending` until then. An application may name the `user` whom the download is attributed to. Needs READ on a folder that ' +
    'holds the file.',
  access: 'user or application',
  ...writing,
  uses: { ...writing.uses, downloads: 'send' },
  params: { id: MediaIdText },
  query: DownloadQuery,
  returns: DownloadLocation,
  refuses: ['conflict'],
  async handle({ params, query, ...library }) {
    const media = await availableMediaWith(library, 'READ', params.id)
    const user = await attributedUser(library, query.user)
    const { key, metadataWritten } = await originalOnDemand(library, media)
    const url = await logged(library, media, { size: null, user, info: query.download_info }, downloadUrl(library, media, key))
    return downloadLocationJson(url, metadataWritten)
  },
})
