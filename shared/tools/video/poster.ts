import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolFailed } from '../failure.ts'
import { type FfmpegRun, runFfmpeg } from './run-ffmpeg.ts'

/** The one picture that is made: encoders may make more. */
const NAME = 'poster.0000001.jpg'

/** Converts BT.709 to BT.601 of full range, as all readers take JPEGs. ffmpeg 7.0 converts the range alone without RGB in between. */
const JPEG_COLOURS = 'scale=in_color_matrix=bt709,format=gbrp,scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p'

/** Seconds after which something is to be seen: films begin in black. All before is decoded for it. */
const BLACK_SECONDS = 5

/** The files that were made of a video, and the folder that holds them. */
interface Made {
  /** A preview, or the playlist of one size of a stream. */
  name: string
  /** ffmpeg's reader for it. */
  demuxer: 'mov' | 'hls'
  /** How long it lasts. Undefined where nobody knows. */
  seconds: number | undefined
}

/**
 * Makes the picture that is shown before a video plays, of what was made of it: a third into it, or five seconds.
 * @throws what `runFfmpeg` throws
 */
export async function writePoster(run: Omit<FfmpegRun, 'args' | 'path'>, made: Made): Promise<void> {
  const at = Math.min((made.seconds ?? Infinity) / 3, BLACK_SECONDS)
  // There is no frame at that time if the last one begins before it.
  if (!(await writeFrame(run, made, at))) await writeFrame(run, made, 0)
}

/** Whether there was a frame at that time, in seconds, or after it. */
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
