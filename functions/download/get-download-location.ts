import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { download, locateOriginal } from '../../shared/library/downloads/download.ts'
import { DownloadLocation, downloadLocationJson, OriginalQuery, writing } from './schema.ts'

export const getDownloadLocation = endpoint({
  route: 'GET /media/{id}/download_location',
  summary: 'Get a URL, good for five minutes, from which the file can be downloaded',
  description:
    "The URL delivers the original under its own name; JPEG, PNG and TIFF carry the library's title, copyright, description and " +
    'keywords. `original=1` gives it as it was uploaded, byte for byte: its MD5 is `file_md5`. Files that carry Content Credentials (C2PA) ' +
    'are delivered so, too, unless `original=0`: written metadata would break them. Metadata is written when it is first asked for, which for files above 100 MB may take longer than a request: 409 ' +
    '`download_pending` until then. An application may name the `user` whom the download is attributed to. Needs READ on a folder that ' +
    'holds the file. Of an item of the stock library it needs a company that may use it, and of an application the `user`; 503 ' +
    '`stock_unavailable` while that library does not answer.',
  access: 'user or application',
  ...writing,
  uses: { ...writing.uses, stock: 'download' },
  params: { id: MediaIdText },
  query: OriginalQuery,
  returns: DownloadLocation,
  refuses: ['conflict'],
  async handle({ params: { id }, query: { user, download_info: info, original }, ...library }) {
    return downloadLocationJson(
      await download(library, id, { size: null, user, info }, (media) => locateOriginal(library, media, original)),
    )
  },
})
