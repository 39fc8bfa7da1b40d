import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { PreviewOutput, StreamOutput, VideoSource } from '../../vocabulary/video.ts'

/** A preview or a stream that is to be made of a video. Plain JSON. */
export interface TranscodingJob {
  /** Names the job: another start with the same token starts nothing. 1 to 64 letters, digits and hyphens of ASCII. */
  token: string
  /** Companies take turns. */
  companyId: CompanyId
  /** With `companyId`, told back when the job has ended. */
  mediaId: MediaId
  source: VideoSource
  output: PreviewOutput | StreamOutput
}

export type JobState =
  /** Or it waits for its turn. */
  | { state: 'running' }
  /** All outputs are there. */
  | { state: 'done' }
  /** Or it was cancelled. Some outputs may be there. The reason is for the operator. */
  | { state: 'failed'; reason: string }
  /** No job has this id, or it ended long ago. */
  | { state: 'gone' }

/**
 * The transcoder port: makes previews and streams of videos, in jobs that take longer than a function may. When a job has ended, in whatever
 * way, the service is told of which video it is, at least once and as a rule only once. What became of the job tells `stateOf`.
 *
 * A preview is an object of the bucket `media`, at the output's key: `video/mp4` that plays while it is loaded. Beside it are
 * `poster.NNNNNNN.jpg` as beside a stream.
 *
 * A stream is objects of the bucket `public`, below the output's prefix: `ladder.m3u8`, the multivariant playlist; its media playlists
 * (`ladder_720p.m3u8`, …, `ladder_audio.m3u8`); fMP4 segments with their init sections; `poster.NNNNNNN.jpg`, one or more, of which the last
 * is the best. Names of segments and init sections differ by adapter. Sounds and pictures may differ in length; `stillSeconds` of the output lengthens
 * the pictures, by a still or in black.
 */
export interface Transcoder {
  /**
   * @returns the job's id
   * @throws TranscoderUnavailable; JobRefused where this job can never run
   */
  start(job: TranscodingJob): Promise<string>
  /** @throws TranscoderUnavailable */
  stateOf(jobId: string): Promise<JobState>
  /**
   * Ends a job, as failed. It may go on for a moment, or even be done: `stateOf` tells. A job that has ended stays as it is.
   * @throws TranscoderUnavailable
   */
  cancel(jobId: string): Promise<void>
}

/** The transcoder could not be reached, or has no room now. The job may have started: start it again, with its token. */
export class TranscoderUnavailable extends Error {
  override name = 'TranscoderUnavailable'
}

/** The transcoder can never run this job. */
export class JobRefused extends Error {
  override name = 'JobRefused'
}
