import { tmpdir } from 'node:os'
import { ToolBusy, ToolFailed } from '../failure.ts'
import { type ModuleProcess, ProcessEnded, startConfined } from '../processes/module-process.ts'
import { ProcessPool } from '../processes/pool.ts'
import { linkPictureGivenUp } from './limits.ts'
import type { LinkPicture, LinkRenderer, WantedPicture } from './link-picture.ts'

/** What link-picture-worker.ts is sent. */
export interface LinkPictureTask {
  path: string
  wanted: WantedPicture
}

/** What it answers: the picture, what is wrong with the source, or why it can't be rendered now. */
export type LinkPictureAnswer = { picture: LinkPicture } | { refused: string } | { busy: string }

export interface LinkPicturePool {
  render: LinkRenderer
  /** Ends all processes; renders that run or wait fail. */
  close(): Promise<void>
}

/** Milliseconds that a picture may take. The largest take a few seconds. */
const TIMEOUT = 25_000

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
        .run((worker) => worker.ask({ path, wanted }, TIMEOUT))
        .catch((error: unknown) => {
          throw error instanceof ProcessEnded && error.signal ? failureBy(error) : error
        })
      if ('refused' in answer) throw new ToolFailed(answer.refused)
      if ('busy' in answer) throw new ToolBusy(answer.busy)
      return answer.picture
    },
    close: () => pool.close(),
  }
}

/** A process that crashed on a picture, or was killed for what it took, does so the next time, too. */
function failureBy({ isTimeout, processorSeconds, signal }: ProcessEnded): Error {
  return isTimeout ? linkPictureGivenUp(processorSeconds) : new ToolFailed(`the picture ends its decoder (${signal})`)
}
