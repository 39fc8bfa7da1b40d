import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FileNumberText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { downloadFile } from '../../shared/library/versions/download-file.ts'
import { DownloadLocation, downloadLocationJson } from '../download/schema.ts'

export const getFileDownloadLocation = endpoint({
  route: 'GET /media/{id}/files/{number}/download_location',
  summary: 'Get a URL, good for five minutes, from which one of the files of a media record can be downloaded',
  description:
    'The URL delivers the bytes of this number as they were uploaded, under the name that it had. It ends early where the number is deleted. A number ' +
    'whose import failed is 409 `not_available`. Needs WRITE on the file.',
  access: 'user',
  uses: { table: 'write', urls: 'sign' },
  params: { id: MediaIdText, number: FileNumberText },
  returns: DownloadLocation,
  refuses: ['forbidden', 'conflict'],
  async handle({ params: { id, number }, ...library }) {
    const url = await downloadFile(library, id, number)
    return downloadLocationJson({ url, metadataWritten: false, reason: 'original_requested' })
  },
})
