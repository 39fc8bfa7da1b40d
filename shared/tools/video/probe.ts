import type { VideoFacts } from '../../vocabulary/video.ts'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolUnavailable } from '../failure.ts'
import { type ModuleProcess, ProcessEnded, startConfined } from '../processes/module-process.ts'
import { ProcessPool } from '../processes/pool.ts'
import { timeLimit } from '../processes/time-limit.ts'

/** The tracks of a film, as its container and its frames declare them. */
export interface Probed {
  hasVideo: boolean
  hasAudio: boolean
  /** Pixels as shown: with square pixels, turned upright. Null where there is no video, or it doesn't say. */
  width: number | null
  height: number | null
  facts: VideoFacts
}

/** The order to probe-worker.ts. */
export interface ProbeTask {
  path: string
}

/** Its answer: what it found, the fault of the file, or the fault of the machine. */
export type ProbeAnswer = { probed: Probed } | { refused: string } | { fault: string }

/** Hours of a transport stream, which has no index, take a few hundred milliseconds. */
const TIME = timeLimit(20_000)

/** MB of objects. The index of ten hours with 60 frames a second takes about half of it. */
const HEAP_MB = 768

/** Pages of 64 KiB that WebAssembly may take. */
const WASM_PAGES = 8_192

/**
 * Reads what is said of the first video and the first sound of a film: of MP4, QuickTime, Matroska, WebM and MPEG transport streams all of it, of
 * other containers the size of the picture. It reads little of the file, and decodes nothing.
 * @throws ToolFailed also for what is no film; ToolTimedOut, ToolBusy, ToolUnavailable
 */
export type VideoProbe = (path: string) => Promise<Probed>

/**
 * Probes in processes of their own, a new one for each file. A thread would not do: an index that fills its memory ends the whole process,
 * before the thread's limit is noticed.
 */
export function createVideoProbe(): VideoProbe {
  const pool = new ProcessPool<ModuleProcess<ProbeTask, ProbeAnswer>>({
    start: () =>
      startConfined({
        module: companionUrl('probe-worker'),
        env: {},
        execArgv: [`--max-old-space-size=${HEAP_MB}`, `--wasm-max-mem-pages=${WASM_PAGES}`],
      }),
    size: 2,
    idleMilliseconds: 0,
    jobsPerProcess: 1,
  })
  return async (path) => {
    const answer = await pool
      .run((worker) => worker.ask({ path }, TIME))
      .catch((error: unknown) => {
        if (!(error instanceof ProcessEnded && error.signal)) throw error
        throw new ToolFailed(`the video takes too much memory to probe (${error.signal})`)
      })
    if ('refused' in answer) throw new ToolFailed(`the video can't be probed: ${answer.refused}`)
    if ('fault' in answer) throw new ToolUnavailable(`the probe of videos fails: ${answer.fault}`)
    return answer.probed
  }
}
