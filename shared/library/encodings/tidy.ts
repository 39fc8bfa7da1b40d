import type { Objects } from '../../backends/objects/port.ts'
import { PLAYLIST } from '../../vocabulary/video.ts'
import type { Again } from '../jobs/run.ts'
import { everyObject } from '../pages.ts'
import { videoObjects } from '../videos/objects.ts'
import type { VideoRecord } from '../videos/video.ts'
import type { Encodings } from './encoding.ts'
import { subtitlesNames } from './playlist.ts'
import { subtitlesOf } from './show.ts'

/**
 * An object that no record names may be named by a change that is about to be committed: it is removed at this age, in milliseconds. Players may
 * still know a playlist that named it: it stays until the one without it has this age, too.
 */
const NEEDED_FOR_MS = 900_000

/**
 * Removes what was made of a video and is needed no more: former subtitles, previews and streams whose jobs were lost.
 * @param video nothing of it is being encoded
 * @returns when there is more to remove
 */
export async function tidyVideo(
  library: Pick<Encodings, 'media' | 'publicFiles' | 'clock'>,
  video: VideoRecord,
): Promise<Again | undefined> {
  const { media, publicFiles } = library
  const { preview, stream, formerStreams = [] } = video
  const all = subtitlesOf(video)
  const isOfPreview = (key: string) => preview.state === 'available' && key.startsWith(videoObjects.previewFiles(video, preview.encodingId))
  const stored = new Set(all.map(({ language, id }) => videoObjects.subtitles(video, language, id)))
  const waits = [
    await removeUnneeded(library, media, videoObjects.previews(video), isOfPreview),
    await removeUnneeded(library, media, videoObjects.allSubtitles(video), (key) => stored.has(key)),
  ]
  for (const former of formerStreams) waits.push(await removeUnneeded(library, publicFiles, videoObjects.stream(former), () => false))
  if (stream?.state === 'available') {
    const prefix = videoObjects.stream(stream.encodingId)
    const shown = all.map((each) => `${prefix}${subtitlesNames(each)}`)
    const isShown = (key: string) => shown.some((names) => key.startsWith(names))
    const { modified } = (await publicFiles.head(`${prefix}${PLAYLIST}`)) ?? {}
    waits.push(await removeUnneeded(library, publicFiles, `${prefix}subtitles_`, isShown, modified))
  }
  const longest = Math.max(0, ...waits)
  return longest > 0 ? { inSeconds: longest } : undefined
}

/** @param namedUntil UNIX milliseconds @returns the seconds until all can be removed; 0 where all is */
async function removeUnneeded(
  { clock }: Pick<Encodings, 'clock'>,
  objects: Pick<Objects, 'list' | 'delete'>,
  prefix: string,
  isNeeded: (key: string) => boolean,
  namedUntil = 0,
): Promise<number> {
  const all = await Array.fromAsync(everyObject(objects, prefix), ({ key, modified }) => ({ key, since: Math.max(modified, namedUntil) }))
  const unneeded = all.filter(({ key }) => !isNeeded(key))
  const oldest = clock.now() - NEEDED_FOR_MS
  const old = unneeded.filter(({ since }) => since <= oldest).map(({ key }) => key)
  if (old.length > 0) await objects.delete(old)
  const waits = unneeded.map(({ since }) => Math.ceil((since - oldest) / 1000))
  return Math.min(NEEDED_FOR_MS / 1000, Math.max(0, ...waits))
}
