import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { Writing } from '../library.ts'
import { type Delivering, downloadUrl, renditionOf, sizedDownloadUrl } from '../media/delivery.ts'
import type { AvailableMedia } from '../media/media.ts'
import type { Making } from './make.ts'
import { type OnDemand, originalOnDemand, renditionOnDemand } from './on-demand.ts'
import { findPreview, previewDownloadUrl } from './preview.ts'

/** What a client downloads with. */
export interface Offer {
  /** Good for five minutes. */
  url: string
  /** False where the file should carry the library's metadata, and can't be written. */
  metadataWritten: boolean
}

/** Offers the original of a file. @throws Conflict `download_pending` while its metadata is being written, NotFound */
export async function offerOriginal(library: OnDemand & Delivering, media: AvailableMedia): Promise<Offer> {
  const { key, metadataWritten } = await originalOnDemand(library, media)
  return { url: await downloadUrl(library, media, key), metadataWritten }
}

/**
 * Offers one size of an image, or the preview of a video, whatever the size.
 * @throws Conflict `preview_pending` or `download_pending` while it is being made, NotFound where the file has nothing to make a size of
 */
export async function offerSize(library: Making & Writing & Delivering, media: AvailableMedia, size: RenditionSize): Promise<Offer> {
  const preview = await findPreview(library, media)
  if (preview !== undefined) return { url: await previewDownloadUrl(library, media, preview), metadataWritten: true }
  const { key, metadataWritten } = await renditionOnDemand(library, media, renditionOf(media, size))
  return { url: await sizedDownloadUrl(library, media, size, key), metadataWritten }
}
