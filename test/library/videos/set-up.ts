import { text } from 'node:stream/consumers'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import { type JobState, type Transcoder, TranscoderUnavailable, type TranscodingJob } from '../../../shared/backends/transcoder/port.ts'
import { retryOnConflict } from '../../../shared/library/concurrency/retry.ts'
import { mediaRemoval } from '../../../shared/library/media/changes.ts'
import { askForEncoding } from '../../../shared/library/media/encoding-job.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import type { Encodings } from '../../../shared/library/videos/encoding.ts'
import { videoObjects } from '../../../shared/library/videos/objects.ts'
import { reconcileVideo } from '../../../shared/library/videos/reconcile-video.ts'
import { changeVideo, ensureVideo, getVideo, queuedEncoding, type Stream, type VideoRecord } from '../../../shared/library/videos/video.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type MediaId, type StoredId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { LADDER } from '../../../shared/vocabulary/video.ts'
import { openTestObjects, openTestTable } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

interface ScriptedJob extends TranscodingJob {
  id: string
  state: JobState
  /** It stores its results: it is cancelled no more. */
  isEnding?: boolean
}

/** A transcoder whose jobs a test ends. */
class ScriptedTranscoder implements Transcoder {
  readonly jobs: ScriptedJob[] = []
  /** Ids of jobs that were cancelled, each as often as that was asked for. */
  readonly cancelled: string[] = []
  isDown = false
  /** A cancelled job goes on until the test ends it. */
  cancelsSlowly = false
  readonly #media: Pick<Objects, 'put'>
  readonly #publicFiles: Pick<Objects, 'put'>

  constructor({ media, publicFiles }: { media: Pick<Objects, 'put'>; publicFiles: Pick<Objects, 'put'> }) {
    this.#media = media
    this.#publicFiles = publicFiles
  }

  async start(job: TranscodingJob): Promise<string> {
    this.#answer()
    const known = this.jobs.find(({ token }) => token === job.token)
    if (known) return known.id
    const started: ScriptedJob = { ...job, id: `job ${this.jobs.length + 1}`, state: { state: 'running' } }
    this.jobs.push(started)
    return started.id
  }

  async stateOf(jobId: string): Promise<JobState> {
    this.#answer()
    return this.jobs.find(({ id }) => id === jobId)?.state ?? { state: 'gone' }
  }

  async cancel(jobId: string): Promise<void> {
    this.#answer()
    this.cancelled.push(jobId)
    const job = this.jobs.find(({ id }) => id === jobId)
    if (job?.state.state === 'running' && !job.isEnding && !this.cancelsSlowly) job.state = { state: 'failed', reason: 'cancelled' }
  }

  /** The latest job for a preview, or for a stream. */
  job(kind: TranscodingJob['output']['kind']): ScriptedJob {
    return this.jobs.findLast(({ output }) => output.kind === kind)!
  }

  /** Stores what the job is to make, and ends it, unless it has ended before. */
  async finish(job: ScriptedJob): Promise<void> {
    if (job.state.state !== 'running') return
    job.isEnding = true
    await this.store(job)
    job.state = { state: 'done' }
  }

  /** Stores what the job is to make. */
  async store({ output, token }: ScriptedJob): Promise<void> {
    if (output.kind === 'preview') {
      await this.#media.put(output.key, Buffer.from(`preview ${token}`), { contentType: 'video/mp4' })
      const picture = output.key.replace('preview.mp4', 'poster.0000001.jpg')
      await this.#media.put(picture, Buffer.from(`poster ${token}`), { contentType: 'image/jpeg' })
      return
    }
    const put = (name: string, text: string) =>
      this.#publicFiles.put(`${output.prefix}${name}`, Buffer.from(text), { contentType: 'application/octet-stream' })
    await put('ladder_1.m3u8', '#EXTM3U\n#EXTINF:6.000,\nladder_1_1.m4s\n#EXTINF:4.500,\nladder_1_2.m4s\n#EXT-X-ENDLIST\n')
    await put('poster.0000000.jpg', 'first picture')
    await put('poster.0000001.jpg', 'last picture')
    await put(LADDER, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nladder_1.m3u8\n')
  }

  fail(job: ScriptedJob, reason: string): void {
    job.state = { state: 'failed', reason }
  }

  /** Nobody knows of the job any more. */
  lose({ id }: ScriptedJob): void {
    this.jobs.splice(
      this.jobs.findIndex((job) => job.id === id),
      1,
    )
  }

  #answer(): void {
    if (this.isDown) throw new TranscoderUnavailable('The transcoder is down')
  }
}

export const REQUEST = { requester: toUserId(301), requestId: 'request' }

/** Videos in stores of one machine, and what brings them to what their records say. */
export async function setUp() {
  const { table, clock, by } = openTestTable()
  const [media, publicFiles] = [openTestObjects(clock), openTestObjects(clock)]
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
    await change(await read(mediaId), ({ preview, stream }) => ({
      stream: stream && stream.state !== 'failed' ? stream : { ...queuedEncoding(library, preview), ...REQUEST },
    }))
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

  /** Exchanges the file's bytes, as the end of an import does. @param stored undefined: those of the first file */
  async function exchangeFile(mediaId: MediaId, stored: StoredId | undefined): Promise<void> {
    const media = await getMedia(library, mediaId)
    if (!media) return
    const now = { ...mediaKey(mediaId), ...media, stored, revision: media.revision + 1, uploadKey: `of ${stored}` }
    await table.transact({ media: { put: now }, encoding: askForEncoding(library, media) })
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
    ...{ advance, find, read, video, askForStream, withPreview, withStream, putSubtitles, exchangeFile },
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
