import { tmpdir } from 'node:os'
import { ToolBusy, ToolFailed } from '../failure.ts'
import { type ModuleProcess, ProcessEnded, startConfined } from '../processes/module-process.ts'
import { ProcessPool } from '../processes/pool.ts'
import { awaitedTime } from './limits.ts'
import type { LinkPicture, LinkRenderer, WantedPicture } from './link-picture.ts'

/** The order to link-picture-worker.ts. */
export interface LinkPictureTask {
  path: string
  wanted: WantedPicture
}

/** Its answer: the picture, the fault of the source, or the reason why it can't be rendered now. */
export type LinkPictureAnswer = { picture: LinkPicture } | { refused: string } | { busy: string }

export interface LinkPicturePool {
  render: LinkRenderer
  /** Ends all processes; renders that run or wait fail. */
  close(): Promise<void>
}

/** Its own decoder gives a picture up earlier, unless it is stuck. */
const TIME = { ...awaitedTime, wall: 25_000 }

/** Milliseconds without work after which a process ends. */
const IDLE = 60_000

/** Renders after which a process is replaced, for what decoders never give back. */
const RENDERS_PER_PROCESS = 1_000

/**
 * Renders pictures of links in processes of their own, which stay: what a hostile file does to its decoder ends there, and a picture costs no
 * start of a process.
 * @param size processes at the same time
 * @param waiting renders that may wait for one; more are refused with ToolBusy
 */
export function openLinkPicturePool({ size, waiting }: { size: number; waiting: number }): LinkPicturePool {
  const pool = new ProcessPool<ModuleProcess<LinkPictureTask, LinkPictureAnswer>>({
    start: () => startConfined({ module: new URL('./link-picture-worker.ts', import.meta.url), env: { TMPDIR: tmpdir() } }),
    size,
    waiting,
    idleMilliseconds: IDLE,
    jobsPerProcess: RENDERS_PER_PROCESS,
  })
  return {
    async render(path, wanted) {
      const answer = await pool
        .run((worker) => worker.ask({ path, wanted }, TIME))
        .catch((error: unknown) => {
          if (!(error instanceof ProcessEnded && error.signal)) throw error
          // A process that crashed on a picture, or was killed for its memory, does so the next time, too.
          throw new ToolFailed(`the picture ends its decoder (${error.signal})`)
        })
      if ('refused' in answer) throw new ToolFailed(answer.refused)
      if ('busy' in answer) throw new ToolBusy(answer.busy)
      return answer.picture
    },
    close: () => pool.close(),
  }
}
