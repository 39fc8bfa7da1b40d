import type { FolderId } from '../../vocabulary/ids.ts'
import { NotFound } from '../errors.ts'
import { getMany } from '../media/find.ts'
import { requireDownloads } from '../shares/download.ts'
import { countUse } from '../shares/share.ts'
import type { Visit } from '../shares/visit.ts'
import { getZip, type Requesting, requestZip } from './request.ts'
import { requestSelectionZip } from './selection.ts'
import type { ZipRecord } from './zip.ts'

/**
 * A zip of what a link shows: of the shared folder or one below it, or of what is left of the shared files.
 * @param folderId by default the shared folder
 * @throws NotFound, Forbidden where the link is to look at files alone
 */
export async function requestSharedZip(library: Requesting & Visit, folderId: FolderId | undefined, requestId: string): Promise<ZipRecord> {
  const { share } = library
  requireDownloads(share)
  const zipped = folderId ?? share.folderId
  const zip = zipped === undefined ? await zipOfFiles(library, requestId) : await requestZip(library, zipped, requestId)
  await countUse(library, share.shareId, 'downloads')
  return zip
}

/** A zip that was asked for by the link, as it gives files now. @throws NotFound, Forbidden */
export async function getSharedZip(library: Requesting & Visit, jobId: string): Promise<ZipRecord> {
  requireDownloads(library.share)
  return getZip(library, jobId)
}

async function zipOfFiles(library: Requesting & Visit, requestId: string): Promise<ZipRecord> {
  const { share, access } = library
  const files = await getMany(library, share.mediaIds ?? [])
  const mayRead = await Promise.all(files.map((media) => access.hasOnMedia('READ', media)))
  const left = files.filter((_, index) => mayRead[index]).map(({ mediaId }) => mediaId)
  if (left.length === 0) throw new NotFound('media')
  return requestSelectionZip(library, left, share.title ?? 'files', requestId)
}
