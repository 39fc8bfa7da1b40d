import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { ObjectMissing, type ObjectReader, type Objects } from '../../backends/objects/port.ts'
import { UnusableSubtitles } from '../../tools/subtitles/cue.ts'
import { toWebVtt } from '../../tools/subtitles/to-webvtt.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Invalid, NotFound } from '../errors.ts'
import { availableMediaWith } from '../media/find.ts'
import type { AvailableMedia } from '../media/media.ts'
import { videoObjects } from './objects.ts'
import { writableVideo } from './streams.ts'
import { changeVideo, ensureVideo, getVideo, type Subtitles, type VideoRecord } from './video.ts'

/** Most languages of a video's subtitles. */
export const MAX_LANGUAGES = 20

/** An uploaded file of subtitles. */
export interface SubtitlesFile {
  bytes: Uint8Array
  /** As its sender declares it. */
  mediaType: string
}

/** Subtitles with their language, a canonical BCP 47 tag. */
export type SubtitlesOf = Subtitles & { language: string }

interface StoringSubtitles extends AuthorizedWriting {
  media: Pick<Objects, 'put'>
}

interface ReadingSubtitles extends AuthorizedReading {
  media: Pick<ObjectReader, 'get'>
}

/**
 * Sets the subtitles of a video in a language. Needs WRITE on it. They are stored before the record names them, so readers of the record find them.
 * The committed record starts the job that brings them into the stream's playlist and removes the former ones.
 * @throws NotFound, Forbidden, Conflict, Invalid also for what is no video and for files that are no subtitles
 */
export async function putSubtitles(
  library: StoringSubtitles,
  mediaId: MediaId,
  language: string,
  file: SubtitlesFile,
): Promise<SubtitlesOf> {
  const media = await writableVideo(library, mediaId)
  checkRoom(await getVideo(library, mediaId), language)
  const webVtt = Buffer.from(webVttOf(file))
  const id = randomBytes(16).toString('hex')
  await library.media.put(videoObjects.subtitles(media, language, id), webVtt, { contentType: 'text/vtt' })
  const subtitles = { id, bytes: webVtt.length, changed: library.clock.now() }
  await retryOnConflict(async () => {
    const video = await ensureVideo(library, media)
    checkRoom(video, language)
    await changeVideo(library, video, { subtitles: { ...video.subtitles, [language]: subtitles } })
  })
  return { language, ...subtitles }
}

function checkRoom(video: Pick<VideoRecord, 'subtitles'> | undefined, language: string): void {
  const languages = new Set(Object.keys(video?.subtitles ?? {})).add(language)
  if (languages.size <= MAX_LANGUAGES) return
  const message = `must be one of those there are: a video has subtitles in at most ${MAX_LANGUAGES} languages`
  throw new Invalid({ path: 'language', message }, 'too_many_languages')
}

function webVttOf({ bytes, mediaType }: SubtitlesFile): string {
  try {
    return toWebVtt(bytes, mediaType)
  } catch (error) {
    if (error instanceof UnusableSubtitles) throw new Invalid({ path: '', message: error.message }, 'unusable_subtitles')
    throw error
  }
}

/** The subtitles of a file, by language. Needs READ on it. @throws NotFound, Forbidden, Conflict */
export async function listSubtitles(library: AuthorizedReading, mediaId: MediaId): Promise<SubtitlesOf[]> {
  await availableMediaWith(library, 'READ', mediaId)
  const { subtitles = {} } = (await getVideo(library, mediaId)) ?? {}
  return Object.entries(subtitles)
    .map(([language, each]) => ({ language, ...each }))
    .sort((a, b) => (a.language < b.language ? -1 : 1))
}

/** The subtitles of a file in a language, as WebVTT. Needs READ on it. @throws NotFound, Forbidden, Conflict */
export async function readSubtitles(library: ReadingSubtitles, mediaId: MediaId, language: string): Promise<string> {
  const media = await availableMediaWith(library, 'READ', mediaId)
  return textOf(library, media, language)
}

/** @param missing id of subtitles in the record that are not stored */
async function textOf(library: ReadingSubtitles, media: AvailableMedia, language: string, missing?: string): Promise<string> {
  const { id } = subtitlesIn(await getVideo(library, media.mediaId), language)
  try {
    return await text((await library.media.get(videoObjects.subtitles(media, language, id))).stream)
  } catch (error) {
    // Replaced or removed meanwhile, unless the record still names them.
    if (error instanceof ObjectMissing && id !== missing) return textOf(library, media, language, id)
    throw error
  }
}

/** Removes the subtitles of a file in a language. Needs WRITE on it. @throws NotFound, Forbidden, Conflict */
export async function removeSubtitles(library: AuthorizedWriting, mediaId: MediaId, language: string): Promise<void> {
  await availableMediaWith(library, 'WRITE', mediaId)
  await retryOnConflict(async () => {
    const video = await getVideo(library, mediaId)
    subtitlesIn(video, language)
    const { [language]: _, ...subtitles } = video!.subtitles!
    await changeVideo(library, video!, { subtitles })
  })
}

function subtitlesIn(video: VideoRecord | undefined, language: string): Subtitles {
  const found = video?.subtitles?.[language]
  if (!found) throw new NotFound('subtitles', 'There are no such subtitles.')
  return found
}
