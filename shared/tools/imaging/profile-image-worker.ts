/** Process that makes the profile images of one picture, and then waits to be killed. What it throws is not the picture's fault. */
import { ToolFailed } from '../failure.ts'
import { drawProfileImages } from './profile-image.ts'
import type { ProfileImageAnswer, ProfileImageTask } from './profile-image-process.ts'

async function answerTo({ picture, maxBytes }: ProfileImageTask): Promise<ProfileImageAnswer> {
  try {
    return { made: await drawProfileImages(picture, maxBytes) }
  } catch (error) {
    if (error instanceof ToolFailed) return { refused: error.message }
    throw error
  }
}

process.once('message', async (task) => {
  // The server may have gone meanwhile.
  process.send?.(await answerTo(task as ProfileImageTask), () => undefined)
})
// The server is gone. A normal exit would wait for the decoder.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
