import type { FolderId, MediaId } from '../../vocabulary/ids.ts'
import { NotFound } from '../errors.ts'
import { getMany } from '../media/find.ts'
import { requireDownloads } from '../shares/download.ts'
import { countUse } from '../shares/share.ts'
import type { Visit } from '../shares/visit.ts'
import { getZip, type Requesting, requestZip } from './request.ts'
import { requestSelectionZip } from './selection.ts'
import type { ZipRecord } from './zip.ts'

/**
 * A zip of a share link's contents: the shared folder or one below it, some files, or the remaining shared files.
 * @param wanted by default the shared folder, or all shared files
 * @throws NotFound, Forbidden if the link doesn't allow downloads
 */
export async function requestSharedZip(
  library: Requesting & Visit,
  { folderId, mediaIds }: { folderId?: FolderId | undefined; mediaIds?: readonly MediaId[] | undefined },
  requestId: string,
): Promise<ZipRecord> {
  const { share } = library
  requireDownloads(share)
  const zip = await zipOf(library, { folderId, mediaIds }, requestId)
  await countUse(library, share.shareId, 'downloads')
  return zip
}

/** A zip requested by the share link, if the link still allows the download. @throws NotFound, Forbidden */
export async function getSharedZip(library: Requesting & Visit, jobId: string): Promise<ZipRecord> {
  requireDownloads(library.share)
  return getZip(library, jobId)
}

function zipOf(
  library: Requesting & Visit,
  { folderId, mediaIds }: { folderId?: FolderId | undefined; mediaIds?: readonly MediaId[] | undefined },
  requestId: string,
): Promise<ZipRecord> {
  const { share } = library
  if (mediaIds) return requestSelectionZip(library, mediaIds, share.title ?? 'files', requestId)
  const zipped = folderId ?? share.folderId
  return zipped === undefined ? zipOfFiles(library, requestId) : requestZip(library, zipped, requestId)
}

async function zipOfFiles(library: Requesting & Visit, requestId: string): Promise<ZipRecord> {
  const { share, access } = library
  const files = await getMany(library, share.mediaIds ?? [])
  const mayRead = await Promise.all(files.map((media) => access.hasOnMedia('READ', media)))
  const left = files.filter((_, index) => mayRead[index]).map(({ mediaId }) => mediaId)
  if (left.length === 0) throw new NotFound('media')
  return requestSelectionZip(library, left, share.title ?? 'files', requestId)
}
