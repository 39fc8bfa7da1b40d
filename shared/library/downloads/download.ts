import type { StockDownload } from '../../backends/stock/port.ts'
import { CATALOGUE, FIRST_PROVIDED_ID, type MediaId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { Conflict, Invalid, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import {
  attachment,
  type Delivering,
  DOWNLOAD_SECONDS,
  downloadUrl,
  inline,
  previewName,
  renditionOf,
  sizedDownloadUrl,
  THUMBNAIL_SECONDS,
} from '../media/delivery.ts'
import { available, getMedia } from '../media/find.ts'
import type { AvailableMedia } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
import { mapStockErrors } from '../stock-errors.ts'
import { videoObjects } from '../videos/objects.ts'
import { ensureVideo, isPending, previewOf } from '../videos/video.ts'
import { attribution, type DownloadDetails, logDownload, loggedFirst } from './log.ts'
import { originalOnDemand, renditionOnDemand } from './on-demand.ts'
import type { Making } from './prepare.ts'

/** Resources of downloads: the caller's own files, and the stock library. */
interface Downloading<Size> extends AuthorizedWriting {
  stock: { download(mediaId: number, wanted: StockDownload & { size: Size }): Promise<LocatedDownload> }
}

/** A request for a download, with the client's details. */
export interface Asked<Size> extends DownloadDetails {
  /** null for the original. */
  size: Size
}

/**
 * Downloads a file, or an item of the stock library, and logs that. Needs READ on the file. An item needs the right to use the stock library,
 * and a user to whom it is attributed.
 * @param locate makes the URL of a file of the library's own
 * @throws NotFound, Forbidden, Invalid, Conflict while it is being imported or made, NotReady while the stock library can't be used
 */
export async function download<Size extends RenditionSize | null>(
  library: Downloading<Size>,
  mediaId: MediaId,
  asked: Asked<Size>,
  locate: (media: AvailableMedia) => Promise<LocatedDownload>,
): Promise<LocatedDownload> {
  const found = await getMedia(library, mediaId)
  if (!found || found.companyId === CATALOGUE) {
    // Only a provider can have an item without a record.
    if (!found && mediaId < FIRST_PROVIDED_ID) throw new NotFound('media')
    return downloadItem(library, mediaId, asked)
  }
  await library.access.requireMedia('READ', found)
  const media = available(found)
  const attributed = await attribution(library, asked)
  const location = await locate(media)
  await logDownload(library, media, { size: asked.size, ...attributed })
  return location
}

async function downloadItem<Size extends RenditionSize | null>(
  library: Downloading<Size>,
  mediaId: MediaId,
  asked: Asked<Size>,
): Promise<LocatedDownload> {
  const { access, stock } = library
  if (!(await access.hasStock())) throw new NotFound('media')
  const { size } = asked
  const attributed = await attribution(library, asked)
  const { userId } = attributed
  if (userId === null) throw new Invalid({ path: 'user', message: 'is needed for downloads of the stock library' })
  const companyId = await access.requireStock()
  const wanted = { size, user: userId, company: companyId }
  return mapStockErrors(loggedFirst(library, { companyId, mediaId }, { size, ...attributed }, () => stock.download(mediaId, wanted)))
}

/** The address of a download. */
export interface LocatedDownload {
  /** Good for five minutes. */
  url: string
  /** False where the original was asked for, or where the file can't carry the library's metadata. */
  metadataWritten: boolean
  /** Why not. */
  reason?: UnwrittenReason
}

/** Why a file is delivered unchanged: the client asked for it, its Content Credentials would break, or it can't be written. */
export const unwrittenReasons = ['original_requested', 'content_credentials', 'unwritable'] as const
type UnwrittenReason = (typeof unwrittenReasons)[number]

/**
 * Makes the URL of a file.
 * @param original true: as it was uploaded. false: with the library's metadata, even where that breaks its Content Credentials
 * @throws Conflict `download_pending` while its metadata is being written, NotFound
 */
export async function locateOriginal(library: Making & Delivering, media: AvailableMedia, original?: boolean): Promise<LocatedDownload> {
  if (original) {
    return { url: await downloadUrl(library, media, objectKeys.original(media)), metadataWritten: false, reason: 'original_requested' }
  }
  const { key, metadataWritten } = await originalOnDemand(library, media, { breaksCredentials: original === false })
  const url = await downloadUrl(library, media, key)
  if (metadataWritten) return { url, metadataWritten }
  const isSigned = media.contentCredentials && original === undefined
  return { url, metadataWritten, reason: isSigned ? 'content_credentials' : 'unwritable' }
}

/**
 * Makes the URL of one size of an image, or of the preview of a video, whatever the size.
 * @throws Conflict `preview_pending` or `download_pending` while it is being made, NotFound where the file has nothing to make a size of
 */
export async function locateSize(library: Making & Delivering, media: AvailableMedia, size: RenditionSize): Promise<LocatedDownload> {
  const preview = await findPreview(library, media)
  if (preview !== undefined) return { url: await previewDownloadUrl(library, media, preview), metadataWritten: true }
  const { key, metadataWritten } = await renditionOnDemand(library, media, renditionOf(media, size))
  return { url: await sizedDownloadUrl(library, media, size, key), metadataWritten }
}

/** `Retry-After` in seconds. */
const PREVIEW_RETRY_AFTER = 5

/**
 * The key of a video's preview. Asks for its encoding where nobody has.
 * @returns undefined for what is no video, and where no preview could be made
 * @throws Conflict `preview_pending` until it is there
 */
export async function findPreview(library: Writing, media: AvailableMedia): Promise<string | undefined> {
  if (media.kind !== 'video') return undefined
  const preview = previewOf(await ensureVideo(library, media), media)
  if (!preview || isPending(preview)) {
    throw new Conflict('The preview of the video is still being made. Try again in a few seconds.', 'preview_pending', PREVIEW_RETRY_AFTER)
  }
  return preview.state === 'available' ? videoObjects.preview(media, preview.encodingId) : undefined
}

/** URL of a video's preview as a download. @param key of its object */
function previewDownloadUrl({ urls, clock }: Delivering, media: AvailableMedia, key: string): Promise<string> {
  const expires = clock.now() + DOWNLOAD_SECONDS * 1000
  return urls.sign(key, { expires, disposition: attachment(previewName(media)), contentType: 'video/mp4' })
}

/** URL at which browsers play a video's preview, for as long as those of thumbnails work. @param key of its object */
export function previewUrl({ urls, clock }: Delivering, media: AvailableMedia, key: string): Promise<string> {
  const expires = clock.now() + THUMBNAIL_SECONDS * 1000
  return urls.sign(key, { expires, disposition: inline(previewName(media)), contentType: 'video/mp4' })
}
