import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolUnavailable } from '../failure.ts'
import { ownProcessorTime } from '../processes/processor-time.ts'
import { limitTime } from '../processes/time-limit.ts'
import { heicLimits } from './limits.ts'

/** The order to heic-worker.ts. */
export interface HeicTask {
  path: string
  into: string
}

/** Its answer. */
export interface HeicOutcome {
  /** The reason why the file isn't decoded; undefined when it is. */
  failure: string | undefined
}

/**
 * Decodes a HEIC picture (HEVC, which libvips lacks) to a TIFF file, upright and with its colour profile. ImageMagick runs as
 * WebAssembly in a thread of its own: a hostile file can neither hold up the program nor reach its memory.
 * @throws ToolFailed, ToolTimedOut, ToolBusy, ToolUnavailable
 */
export async function heicToTiff(path: string, into: string): Promise<void> {
  if ((await stat(path)).size > heicLimits.fileBytes) throw new ToolFailed('the HEIC file is too large to decode')
  const worker = new Worker(companionUrl('heic-worker'), { workerData: { path, into } satisfies HeicTask })
  const { promise, resolve, reject } = Promise.withResolvers<HeicOutcome>()
  const release = limitTime(heicLimits.time, ownProcessorTime, reject)
  worker.once('message', resolve)
  worker.once('error', (error) => reject('syscall' in error ? error : new ToolUnavailable('the HEIC decoder fails', { cause: error })))
  worker.once('exit', () => reject(new ToolFailed('the HEIC decoder ended early')))
  try {
    const { failure } = await promise
    if (failure !== undefined) throw new ToolFailed(`the HEIC picture can't be decoded: ${failure}`)
  } finally {
    release()
    await worker.terminate()
  }
}
