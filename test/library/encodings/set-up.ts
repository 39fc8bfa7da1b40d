import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { retryOnConflict } from '../../../shared/library/concurrency/retry.ts'
import { reconcileVideo } from '../../../shared/library/encodings/encode.ts'
import type { Encodings } from '../../../shared/library/encodings/encoding.ts'
import { mediaRemoval } from '../../../shared/library/media/changes.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { changeVideo, ensureVideo, getVideo, queuedEncoding, type Stream, type VideoRecord } from '../../../shared/library/videos/video.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type MediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { temporaryObjects } from '../../backends/objects/temporary-objects.ts'
import { openTestTable, type TestClock } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { ScriptedTranscoder } from '../../support/transcoder.ts'

export const REQUEST = { requester: toUserId(301), requestId: 'request' }

/** Videos in stores of one machine, and what brings them to what their records say. */
export async function setUp() {
  const { table, clock, by } = openTestTable()
  const [media, publicFiles] = await Promise.all([openBucket(clock), openBucket(clock)])
  const transcoder = new ScriptedTranscoder({ media, publicFiles })
  const lines: string[] = []
  const library: Encodings = {
    ...{ table, clock, by, media, publicFiles, transcoder },
    log: jsonLog((line) => lines.push(line)),
  }
  let files = 0

  /** @returns the seconds after which it goes on */
  const advance = async (mediaId: MediaId, { over = library } = {}) => (await reconcileVideo(over, { mediaId }))?.inSeconds
  const find = (mediaId: MediaId): Promise<VideoRecord | undefined> => getVideo(library, mediaId)
  const read = async (mediaId: MediaId): Promise<VideoRecord> => (await find(mediaId))!

  /** An imported video, with its record. */
  async function video(more: object = {}): Promise<VideoRecord> {
    files += 1
    const stored = await putMedia(table, { mediaId: files, kind: 'video', mime: 'video/mp4', width: 1920, height: 1080, ...more })
    await media.put(objectKeys.original(stored), Buffer.from('original'), { contentType: 'video/mp4' })
    return ensureVideo(library, { ...stored, mime: 'video/mp4', width: stored.width ?? null, height: stored.height ?? null })
  }

  /** Changes a record as a request does that knows the file from before: where the record is gone, it is made again. */
  async function change(before: VideoRecord, set: (video: VideoRecord) => Parameters<typeof changeVideo>[2]): Promise<void> {
    const { mediaId, companyId, source } = before
    await retryOnConflict(async () => {
      const current = await ensureVideo(library, { mediaId, companyId, ...source, video: source.facts })
      await changeVideo(library, current, set(current))
    })
  }

  async function askForStream(mediaId: MediaId): Promise<void> {
    const asked = { ...queuedEncoding(library), ...REQUEST }
    await change(await read(mediaId), ({ stream }) => ({ stream: stream && stream.state !== 'failed' ? stream : asked }))
  }

  /** One that has its preview. */
  async function withPreview(): Promise<VideoRecord> {
    const { mediaId } = await video()
    await advance(mediaId)
    await transcoder.finish(transcoder.job('preview'))
    await advance(mediaId)
    return read(mediaId)
  }

  /** One that has its stream, too. */
  async function withStream(): Promise<VideoRecord & { stream: Stream }> {
    const { mediaId } = await withPreview()
    await askForStream(mediaId)
    await advance(mediaId)
    await transcoder.finish(transcoder.job('stream'))
    await advance(mediaId)
    const { stream, ...others } = await read(mediaId)
    return { ...others, stream: stream! }
  }

  /** Puts other subtitles, as a request does: the object first. */
  async function putSubtitles(mediaId: MediaId, language: string, id: string): Promise<void> {
    const before = await read(mediaId)
    const bytes = Buffer.from(`WEBVTT\n\n00:01.000 --> 00:02.000\n${id}\n`)
    await media.put(videoObjects.subtitles(before, language, id), bytes, { contentType: 'text/vtt' })
    const changed = { id, bytes: bytes.length, changed: clock.now() }
    await change(before, ({ subtitles }) => ({ subtitles: { ...subtitles, [language]: changed } }))
  }

  return {
    ...{ library, table, clock, media, publicFiles, transcoder, lines },
    ...{ advance, find, read, video, askForStream, withPreview, withStream, putSubtitles },
    /** Removes the file, as the removal of its last pointer does. */
    removeFile: async (mediaId: MediaId) => {
      const media = await getMedia(library, mediaId)
      if (media) await table.transact(mediaRemoval(library, media))
    },
    /** Names of the files of all streams. */
    publicNames: async () => Array.fromAsync(everyObject(publicFiles, ''), ({ key }) => key.slice(key.lastIndexOf('/') + 1)),
    /** What is stored of a video beside its original, by keys without what is the same for all. */
    async storedOf(of: VideoRecord): Promise<string[]> {
      const prefix = objectKeys.prefix(of)
      const keys = await Array.fromAsync(everyObject(media, prefix), ({ key }) => key.slice(prefix.length))
      return keys.filter((key) => key !== 'original')
    },
    publicText: async (key: string) => text((await publicFiles.get(key)).stream),
  }
}

export type World = Awaited<ReturnType<typeof setUp>>

async function openBucket(clock: TestClock) {
  const { objects, close } = await temporaryObjects(clock)
  onTestFinished(close)
  return objects
}
