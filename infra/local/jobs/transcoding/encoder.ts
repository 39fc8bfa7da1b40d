import { ToolUnavailable } from '../../../../shared/tools/failure.ts'
import { encodeVideo } from '../../../../shared/tools/video/encode-video.ts'
import { type Ffmpeg, findFfmpeg } from '../../../../shared/tools/video/find-ffmpeg.ts'
import type { Encode } from './encode-job.ts'

/** This machine has no ffmpeg that does what is needed, or no `nice`. The message is for the operator. */
export class NoFfmpeg extends ToolUnavailable {
  override name = 'NoFfmpeg'

  constructor() {
    super(
      'Previews and streams need the command nice, and an ffmpeg with libx264, aac, zscale and tonemap. Install what is missing: they are made then.',
    )
  }
}

/** Makes an encoder of the ffmpeg of this machine. It looks for one until there is one, and again when that doesn't start any more. */
export function openEncoder(find = findFfmpeg): Encode {
  let ffmpeg: Ffmpeg | undefined
  return async (encoding) => {
    ffmpeg ??= await find()
    if (!ffmpeg) throw new NoFfmpeg()
    try {
      return await encodeVideo({ ...encoding, ffmpeg })
    } catch (error) {
      if (error instanceof ToolUnavailable) ffmpeg = undefined
      throw error
    }
  }
}
