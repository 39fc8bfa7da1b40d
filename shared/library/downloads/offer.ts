import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { Writing } from '../library.ts'
import { type Delivering, downloadUrl, renditionOf, sizedDownloadUrl } from '../media/delivery.ts'
import { type AvailableMedia, objectKeys } from '../media/media.ts'
import { type OnDemand, originalOnDemand, renditionOnDemand } from './on-demand.ts'
import type { Making } from './prepare.ts'
import { findPreview, previewDownloadUrl } from './preview.ts'

/** What a client downloads with. */
export interface Offer {
  /** Good for five minutes. */
  url: string
  /** False where the file should carry the library's metadata and does not, and where its original was asked for. */
  metadataWritten: boolean
  /** Why not. */
  reason?: UnwrittenReason
}

/** Why a file is delivered as it was uploaded: the client asked for that, its Content Credentials would break, or it can't be written. */
export const unwrittenReasons = ['original_requested', 'content_credentials', 'unwritable'] as const
export type UnwrittenReason = (typeof unwrittenReasons)[number]

/**
 * Offers a file.
 * @param original true: as it was uploaded. false: with the library's metadata, even where that breaks its Content Credentials
 * @throws Conflict `download_pending` while its metadata is being written, NotFound
 */
export async function offerOriginal(library: OnDemand & Delivering, media: AvailableMedia, original?: boolean): Promise<Offer> {
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
 * Offers one size of an image, or the preview of a video, whatever the size.
 * @throws Conflict `preview_pending` or `download_pending` while it is being made, NotFound where the file has nothing to make a size of
 */
export async function offerSize(library: Making & Writing & Delivering, media: AvailableMedia, size: RenditionSize): Promise<Offer> {
  const preview = await findPreview(library, media)
  if (preview !== undefined) return { url: await previewDownloadUrl(library, media, preview), metadataWritten: true }
  const { key, metadataWritten } = await renditionOnDemand(library, media, renditionOf(media, size))
  return { url: await sizedDownloadUrl(library, media, size, key), metadataWritten }
}
