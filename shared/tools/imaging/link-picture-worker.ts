/** Process that renders pictures of links, one after the other. What it throws is not a picture's fault. */
import { ToolBusy, ToolFailed } from '../failure.ts'
import { createLinkRenderer } from './link-picture.ts'
import type { LinkPictureAnswer, LinkPictureTask } from './link-picture-process.ts'

const render = createLinkRenderer()

async function answerTo({ path, wanted }: LinkPictureTask): Promise<LinkPictureAnswer> {
  try {
    return { picture: await render(path, wanted) }
  } catch (error) {
    if (error instanceof ToolFailed) return { refused: error.message }
    if (error instanceof ToolBusy) return { busy: error.message }
    throw error
  }
}

process.on('message', async (task) => {
  // The server may have gone meanwhile.
  process.send?.(await answerTo(task as LinkPictureTask), () => undefined)
})
// The server is gone. A normal exit would wait for the decoder.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
