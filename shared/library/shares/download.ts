import type { MediaId } from '../../vocabulary/ids.ts'
import { locateOriginal, locateSize } from '../downloads/download.ts'
import { logDownload } from '../downloads/log.ts'
import type { Making } from '../downloads/prepare.ts'
import { Forbidden } from '../errors.ts'
import type { Delivering } from '../media/delivery.ts'
import { availableMediaWith } from '../media/find.ts'
import { countUse, PREVIEW, type ShareRecord } from './share.ts'
import type { Visit } from './visit.ts'

/** @throws Forbidden where the link allows no downloads */
export function requireDownloads({ download }: ShareRecord): void {
  if (download === 'none') throw new Forbidden('This link is to look at files, not to download them.', 'downloads_not_allowed')
}

/**
 * Downloads a file of a link as the link allows. Counts and logs the download.
 * @returns its URL @throws NotFound, Forbidden, Conflict while it is being imported or made
 */
export async function downloadShared(library: Visit & Making & Delivering, mediaId: MediaId): Promise<string> {
  const { share } = library
  requireDownloads(share)
  const media = await availableMediaWith(library, 'READ', mediaId)
  const size = share.download === 'preview' ? PREVIEW : null
  const { url } = size === null ? await locateOriginal(library, media) : await locateSize(library, media, size)
  // Visitors have no account.
  await logDownload(library, media, { size, userId: null, keyId: null, info: null })
  await countUse(library, share.shareId, 'downloads')
  return url
}
