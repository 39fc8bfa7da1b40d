import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolFailed } from '../failure.ts'
import { mediaPlaylist } from './arguments.ts'
import { type FfmpegRun, runFfmpeg } from './run-ffmpeg.ts'

/** The one picture that is made: encoders may make more. */
const NAME = 'poster.0000001.jpg'

/** From BT.709 to BT.601 of full range, as all readers take JPEGs. Without RGB in between, ffmpeg 7.0 converts the range alone. */
const JPEG_COLOURS = 'scale=in_color_matrix=bt709,format=gbrp,scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p'

/** Seconds after which something is to be seen: films begin in black. All before is decoded for it. */
const BLACK_SECONDS = 5

/**
 * Makes the picture that is shown before a stream plays, of the stream itself: a third into it, or five seconds.
 * @param part the size that it has
 * @throws what `runFfmpeg` throws
 */
export async function writePoster(run: Omit<FfmpegRun, 'args' | 'path'>, part: { name: string; seconds: number }): Promise<void> {
  const at = Math.min(part.seconds / 3, BLACK_SECONDS)
  // Where the last frame begins before, there is none.
  if (!(await writeFrame(run, part.name, at))) await writeFrame(run, part.name, 0)
}

/** Whether there was a frame at that time, in seconds, or after it. */
async function writeFrame(run: Omit<FfmpegRun, 'args' | 'path'>, name: string, at: number): Promise<boolean> {
  const playlist = mediaPlaylist(name)
  try {
    await runFfmpeg({
      ...run,
      path: playlist,
      args: [
        ...['-v', 'error', '-y', '-protocol_whitelist', 'file', '-f', 'hls', '-i', playlist],
        ...['-ss', at.toFixed(3), '-frames:v', '1'],
        ...['-vf', JPEG_COLOURS, '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1', NAME],
      ],
    })
  } catch (error) {
    if (!(error instanceof ToolFailed) || at === 0) throw error
  }
  return (await stat(join(run.folder, NAME)).catch(() => undefined)) !== undefined
}
