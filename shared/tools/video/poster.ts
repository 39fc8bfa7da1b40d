import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolFailed } from '../failure.ts'
import { type FfmpegRun, runFfmpeg } from './run-ffmpeg.ts'

/** Name of the only picture. Other encoders make several. */
const NAME = 'poster.0000001.jpg'

/**
 * Converts BT.709 to full-range BT.601, which JPEG readers assume. Goes through RGB, because ffmpeg 7.0 would otherwise only convert the
 * range.
 */
const JPEG_COLOURS = 'scale=in_color_matrix=bt709,format=gbrp,scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p'

/** Latest position in seconds. Films begin in black; everything before it must be decoded. */
const BLACK_SECONDS = 5

/** An output to take the picture from. */
interface Made {
  /** A preview, or the playlist of one size of a stream. */
  name: string
  /** ffmpeg's demuxer for it. */
  demuxer: 'mov' | 'hls'
  /** Duration; undefined if unknown. */
  seconds: number | undefined
}

/** Makes the poster from an output: the frame at a third of it, at most at `BLACK_SECONDS`. @throws what `runFfmpeg` throws */
export async function writePoster(run: Omit<FfmpegRun, 'args' | 'path'>, made: Made): Promise<void> {
  const at = Math.min((made.seconds ?? Infinity) / 3, BLACK_SECONDS)
  // There is no frame at that time if the last one begins earlier.
  if (!(await writeFrame(run, made, at))) await writeFrame(run, made, 0)
}

/** Whether there is a frame at a time, in seconds, or after it. */
async function writeFrame(run: Omit<FfmpegRun, 'args' | 'path'>, { name, demuxer }: Made, at: number): Promise<boolean> {
  try {
    await runFfmpeg({
      ...run,
      path: name,
      args: [
        ...['-v', 'error', '-y', '-protocol_whitelist', 'file', '-f', demuxer, '-i', name],
        ...['-ss', at.toFixed(3), '-frames:v', '1'],
        ...['-vf', JPEG_COLOURS, '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1', NAME],
      ],
    })
  } catch (error) {
    if (!(error instanceof ToolFailed) || at === 0) throw error
  }
  return (await stat(join(run.folder, NAME)).catch(() => undefined)) !== undefined
}
