import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { PreviewOutput, StreamOutput, VideoSource } from '../../vocabulary/video.ts'

/** A preview or stream to make of a video. Plain JSON. */
export interface TranscodingJob {
  /** Idempotency key: another start with the same token starts nothing. 1 to 64 ASCII letters, digits and hyphens. */
  token: string
  /** For turns between companies. */
  companyId: CompanyId
  /** Reported with `companyId` when the job has ended. */
  mediaId: MediaId
  source: VideoSource
  output: PreviewOutput | StreamOutput
}

export type JobState =
  /** Running or waiting. */
  | { state: 'running' }
  /** All outputs exist. */
  | { state: 'done' }
  /** Failed or cancelled. Some outputs may exist. The reason is for the operator. */
  | { state: 'failed'; reason: string }
  /** No job has this id, or it ended long ago. */
  | { state: 'gone' }

/**
 * The transcoder port: makes previews and streams of videos, in jobs that may take longer than a function. When a job has ended, in
 * whatever way, the service is notified with the video's id, at least once. `stateOf` tells the result.
 *
 * A preview is an object in the bucket `media`, at the output's key: `video/mp4` that plays while it is loaded, with `poster.NNNNNNN.jpg`
 * like a stream.
 *
 * A stream consists of objects in the bucket `public`, below the output's prefix: `ladder.m3u8`, the multivariant playlist; its media
 * playlists (`ladder_720p.m3u8`, …, `ladder_audio.m3u8`); fMP4 segments with their init sections; `poster.NNNNNNN.jpg`, one or more, of
 * which the last is the best. Names of segments and init sections differ by adapter. Sound and video may differ in length; the output's
 * `stillSeconds` lengthens the video with a still or black frames.
 */
export interface Transcoder {
  /** @returns the job's id @throws TranscoderUnavailable; JobRefused if this job can never run */
  start(job: TranscodingJob): Promise<string>
  /** @throws TranscoderUnavailable */
  stateOf(jobId: string): Promise<JobState>
  /**
   * Cancels a job, which then counts as failed. It may still run for a moment, or even finish: `stateOf` tells. Does nothing to ended jobs.
   * @throws TranscoderUnavailable
   */
  cancel(jobId: string): Promise<void>
}

/** The transcoder could not be reached or is overloaded. The job may have started: start it again with the same token. */
export class TranscoderUnavailable extends Error {
  override name = 'TranscoderUnavailable'
}

/** The transcoder can never run this job. */
export class JobRefused extends Error {
  override name = 'JobRefused'
}
