import type { Objects } from '../../backends/objects/port.ts'
import { everyObject } from '../pages.ts'
import { videoObjects } from '../videos/objects.ts'
import type { VideoRecord } from '../videos/video.ts'
import type { Encodings } from './encoding.ts'
import { subtitlesFile, subtitlesPlaylist } from './playlist.ts'

/**
 * An object that no record names may be named by a change that is about to be committed, and players may still read the playlist that named it:
 * it is removed at this age, in milliseconds.
 */
const NEEDED_FOR_MS = 900_000

/**
 * Removes what was made of a video and is needed no more: former subtitles, previews whose jobs were lost.
 * @param video nothing of it is being encoded
 * @returns the seconds after which there is more to remove
 */
export async function tidyVideo(
  library: Pick<Encodings, 'media' | 'publicFiles' | 'clock'>,
  video: VideoRecord,
): Promise<number | undefined> {
  const { media, publicFiles } = library
  const { preview, stream, subtitles = {} } = video
  const all = Object.entries(subtitles).map(([language, { id }]) => ({ language, id }))
  const previews = new Set(preview.state === 'available' ? [videoObjects.preview(video, preview.encodingId)] : [])
  const stored = new Set(all.map(({ language, id }) => videoObjects.subtitles(video, language, id)))
  const waits = [
    await removeUnneeded(library, media, videoObjects.previews(video), previews),
    await removeUnneeded(library, media, videoObjects.allSubtitles(video), stored),
  ]
  if (stream?.state === 'available') {
    const prefix = videoObjects.stream(stream.encodingId)
    const shown = new Set(all.flatMap((each) => [subtitlesFile(each), subtitlesPlaylist(each)].map((name) => `${prefix}${name}`)))
    waits.push(await removeUnneeded(library, publicFiles, `${prefix}subtitles_`, shown))
  }
  const longest = Math.max(0, ...waits)
  return longest > 0 ? longest : undefined
}

/** @returns the seconds until all can be removed; 0 where all is */
async function removeUnneeded(
  { clock }: Pick<Encodings, 'clock'>,
  objects: Pick<Objects, 'list' | 'delete'>,
  prefix: string,
  needed: ReadonlySet<string>,
): Promise<number> {
  const former = await Array.fromAsync(everyObject(objects, prefix), ({ key, modified }) => ({ key, modified }))
  const unneeded = former.filter(({ key }) => !needed.has(key))
  const oldest = clock.now() - NEEDED_FOR_MS
  const old = unneeded.filter(({ modified }) => modified <= oldest).map(({ key }) => key)
  if (old.length > 0) await objects.delete(old)
  const waits = unneeded.map(({ modified }) => Math.ceil((modified - oldest) / 1000))
  return Math.min(NEEDED_FOR_MS / 1000, Math.max(0, ...waits))
}
