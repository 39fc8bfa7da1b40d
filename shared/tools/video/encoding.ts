import type { PreviewOutput, StreamOutput, VideoSource } from '../../vocabulary/video.ts'
import type { Ffmpeg } from './find-ffmpeg.ts'

/** A preview or a stream that is to be made. */
export interface VideoEncoding {
  ffmpeg: Ffmpeg
  /** The video's file. It is read, never changed. */
  path: string
  source: VideoSource
  output: PreviewOutput | StreamOutput
  /** An existing, empty folder that gets the files. After a failure some may be in it. */
  into: string
  /** Ends it: ffmpeg is killed, and the promise rejects with the signal's reason. */
  signal: AbortSignal
}

/** A file that was made, in `into`. */
export interface EncodedFile {
  /** The name of a preview, or of a stream's file below its prefix: no folders. */
  name: string
  mime: string
}

/**
 * Makes a preview or a stream, at low priority, with one decode for all sizes.
 * @throws ToolFailed where the video can't be encoded: the next try fails, too; the message is for the operator, and names no path
 * @throws ToolUnavailable where ffmpeg doesn't start; the system's errors (`ENOSPC`: the disk is full), which say nothing of the video
 */
export type EncodeVideo = (encoding: VideoEncoding) => Promise<EncodedFile[]>
