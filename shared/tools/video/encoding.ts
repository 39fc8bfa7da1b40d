import type { PreviewOutput, StreamOutput, VideoSource } from '../../vocabulary/video.ts'
import type { Ffmpeg } from './find-ffmpeg.ts'

/** A preview or stream to make. */
export interface VideoEncoding {
  ffmpeg: Ffmpeg
  /** The video's file; read-only. */
  path: string
  source: VideoSource
  output: PreviewOutput | StreamOutput
  /** An existing, empty folder for the outputs. It may contain some after a failure. */
  into: string
  /** Kills ffmpeg; the promise rejects with the signal's reason. */
  signal: AbortSignal
}

/** An output file in `into`. */
export interface EncodedFile {
  /** Name of a preview, or of a stream's file below its prefix. No folders. */
  name: string
  mime: string
}

/**
 * Makes a preview or stream at low priority, with one decode for all sizes.
 * @throws ToolFailed if the video can't be encoded and a retry would fail, too; the message is for the operator and contains no paths
 * @throws ToolUnavailable if ffmpeg doesn't start; the system's errors (`ENOSPC`: the disk is full), which are not the video's fault
 */
export type EncodeVideo = (encoding: VideoEncoding) => Promise<EncodedFile[]>
