import type { Objects } from '../../shared/backends/objects/port.ts'
import {
  JobRefused,
  type JobState,
  type Transcoder,
  TranscoderUnavailable,
  type TranscodingJob,
} from '../../shared/backends/transcoder/port.ts'
import { LADDER } from '../../shared/vocabulary/video.ts'

interface ScriptedJob extends TranscodingJob {
  id: string
  state: JobState
  /** It stores its results: it is cancelled no more. */
  isEnding?: boolean
}

/** A transcoder whose jobs a test ends. */
export class ScriptedTranscoder implements Transcoder {
  readonly jobs: ScriptedJob[] = []
  /** Ids of jobs that were cancelled, each as often as that was asked for. */
  readonly cancelled: string[] = []
  isDown = false
  /** Why it takes no job. */
  refusal: string | undefined
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
    if (this.refusal !== undefined) throw new JobRefused(this.refusal)
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
