import { Conflict } from '../errors.ts'
import type { Writing } from '../library.ts'
import { attachment, type Delivering, DOWNLOAD_SECONDS, inline, THUMBNAIL_SECONDS } from '../media/delivery.ts'
import type { AvailableMedia } from '../media/media.ts'
import { videoObjects } from '../videos/objects.ts'
import { ensureVideo, isPending } from '../videos/video.ts'

/** Seconds after which who was refused may come again. */
const RETRY_AFTER = 5

/**
 * The object that holds the preview of a video. Asks for one where nobody has.
 * @returns undefined for what is no video, and where no preview could be made
 * @throws Conflict `preview_pending` until it is there
 */
export async function findPreview(library: Writing, media: AvailableMedia): Promise<string | undefined> {
  if (media.kind !== 'video') return undefined
  const { preview } = await ensureVideo(library, media)
  if (isPending(preview)) {
    throw new Conflict('The preview of the video is still being made. Try again in a few seconds.', 'preview_pending', RETRY_AFTER)
  }
  return preview.state === 'available' ? videoObjects.preview(media, preview.encodingId) : undefined
}

/** URL of a video's preview as a download. @param key of its object */
export function previewDownloadUrl({ urls, clock }: Delivering, media: AvailableMedia, key: string): Promise<string> {
  const expires = clock.now() + DOWNLOAD_SECONDS * 1000
  return urls.sign(key, { expires, disposition: attachment(previewName(media)), contentType: 'video/mp4' })
}

/** URL at which browsers play a video's preview, for as long as those of thumbnails work. @param key of its object */
export function previewUrl({ urls, clock }: Delivering, media: AvailableMedia, key: string): Promise<string> {
  const expires = clock.now() + THUMBNAIL_SECONDS * 1000
  return urls.sign(key, { expires, disposition: inline(previewName(media)), contentType: 'video/mp4' })
}

const previewName = ({ filename }: AvailableMedia): string => `${filename.replace(/\.[^.]*$/, '')}_preview.mp4`
