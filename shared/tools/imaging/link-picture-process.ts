import { tmpdir } from 'node:os'
import { ToolBusy, ToolFailed } from '../failure.ts'
import { type ModuleProcess, ProcessEnded, startConfined } from '../processes/module-process.ts'
import { ProcessPool } from '../processes/pool.ts'
import { awaitedTime } from './limits.ts'
import type { LinkPicture, LinkRenderer, WantedPicture } from './link-picture.ts'

/** The message to link-picture-worker.ts. */
export interface LinkPictureTask {
  path: string
  wanted: WantedPicture
}

/** The worker's answer: the picture, what is wrong with the source, or why it can't be rendered now. */
export type LinkPictureAnswer = { picture: LinkPicture } | { refused: string } | { busy: string }

export interface LinkPicturePool {
  render: LinkRenderer
  /** Ends all processes; running and waiting renders fail. */
  close(): Promise<void>
}

/** Longer than the decoder's own time limit, so it only ends processes that are stuck. */
const TIME = { ...awaitedTime, wall: 25_000 }

/** Idle time after which a process ends, in milliseconds. */
const IDLE = 60_000

/** Renders after which a process is replaced, because decoders may leak memory. */
const RENDERS_PER_PROCESS = 1_000

/**
 * Renders pictures of links in long-lived worker processes: a hostile file only reaches its decoder's process, and a picture doesn't pay
 * for the start of one.
 * @param size number of processes
 * @param waiting renders that may wait for a process; more are refused with ToolBusy
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
          // A process that crashed on a picture, or was killed for its memory, would do so again.
          throw new ToolFailed(`the picture ends its decoder (${error.signal})`)
        })
      if ('refused' in answer) throw new ToolFailed(answer.refused)
      if ('busy' in answer) throw new ToolBusy(answer.busy)
      return answer.picture
    },
    close: () => pool.close(),
  }
}
