import { CATALOGUE, type MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { attribution, logDownload } from '../downloads/log.ts'
import { NotFound } from '../errors.ts'
import { type Delivering, downloadUrl } from '../media/delivery.ts'
import { currentFile } from '../media/files.ts'
import { available, findMedia } from '../media/find.ts'
import { objectKeys } from '../media/objects.ts'
import { findImported } from './find.ts'

/**
 * URL of the untouched bytes of a number, under its own name. Logs the download. Needs WRITE.
 * @throws NotFound, Forbidden, Conflict `not_available` for a number whose import failed
 */
export async function downloadFile(library: AuthorizedWriting & Delivering, mediaId: MediaId, number: number): Promise<string> {
  const found = await findMedia(library, mediaId)
  const isItem = found.companyId === CATALOGUE
  await library.access.requireMedia(isItem ? 'READ' : 'WRITE', found)
  if (isItem) throw new NotFound('file')
  const media = available(found)
  const current = currentFile(media)
  const file = current.fileNumber === number ? current : await findImported(library, mediaId, number)
  const { filename, mime, stored } = file
  const attributed = await attribution(library, {})
  const url = await downloadUrl(library, { filename, mime }, objectKeys.original({ companyId: media.companyId, mediaId, stored }))
  await logDownload(library, media, { size: null, ...attributed }, number)
  return url
}
