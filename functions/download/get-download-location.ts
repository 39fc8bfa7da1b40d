import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { downloadUrl } from '../../shared/library/media/delivery.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { attributedUser, DownloadLocation, DownloadQuery, downloadLocationJson } from './schema.ts'

export const getDownloadLocation = endpoint({
  route: 'GET /media/{id}/download_location',
  summary: 'Get a URL, good for five minutes, from which the file can be downloaded',
  description:
    "The URL delivers the original under its own name; JPEG, PNG and TIFF carry the library's title, copyright, description and " +
    'keywords. An application may name the `user` whom the download is attributed to. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read', urls: 'sign' },
  params: { id: MediaIdText },
  query: DownloadQuery,
  returns: DownloadLocation,
  refuses: ['conflict'],
  async handle({ params, query, log, ...library }) {
    const media = await availableMediaWith(library, 'READ', params.id)
    const user = await attributedUser(library, query.user)
    log.info('download', { media: media.mediaId, attributedTo: user })
    return downloadLocationJson(await downloadUrl(library, media))
  },
})
