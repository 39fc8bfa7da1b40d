import type { VideoFacts } from '../../vocabulary/video.ts'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolUnavailable } from '../failure.ts'
import { type ModuleProcess, ProcessEnded, startConfined } from '../processes/module-process.ts'
import { ProcessPool } from '../processes/pool.ts'
import { timeLimit } from '../processes/time-limit.ts'

/** The tracks of a film as declared by its container and frames. */
export interface Probed {
  hasVideo: boolean
  hasAudio: boolean
  /** Pixels as shown: with square pixels, turned upright. Null without video, or if unknown. */
  width: number | null
  height: number | null
  facts: VideoFacts
}

/** The message to probe-worker.ts. */
export interface ProbeTask {
  path: string
}

/** The worker's answer: the result, a fault of the file, or a fault of the machine. */
export type ProbeAnswer = { probed: Probed } | { refused: string } | { fault: string }

/** Transport streams of hours, which have no index, take a few hundred milliseconds. */
const TIME = timeLimit(20_000)

/** Heap limit in MB. The index of ten hours at 60 frames a second takes about half of it. */
const HEAP_MB = 768

/** Memory limit of WebAssembly, in pages of 64 KiB. */
const WASM_PAGES = 8_192

/**
 * Reads facts about the first video and first sound of a film: all of them for MP4, QuickTime, Matroska, WebM and MPEG transport streams,
 * only the picture size for other containers. Reads little of the file and decodes nothing.
 * @throws ToolFailed also for files that are no film; ToolTimedOut, ToolBusy, ToolUnavailable
 */
export type VideoProbe = (path: string) => Promise<Probed>

/**
 * Probes in a new process for each file. A thread is not enough: an index that fills its memory ends the whole process before the thread's
 * limit applies.
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
