import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolTimedOut, ToolUnavailable } from '../failure.ts'
import { type HeicTask, heicProgress } from './heic-task.ts'
import { heicLimits, timeoutSeconds } from './limits.ts'

/**
 * Decodes a HEIC picture (HEVC, which libvips lacks) to a TIFF file, upright and with its colour profile. libheif runs as
 * WebAssembly in a thread of its own: a hostile file can neither hold up the program nor reach its memory.
 * @throws ToolFailed, ToolTimedOut, ToolUnavailable
 */
export async function heicToTiff(path: string, into: string): Promise<void> {
  if ((await stat(path)).size > heicLimits.fileBytes) throw new ToolFailed('the HEIC file is too large to decode')
  const progress = new Uint8Array(new SharedArrayBuffer(1))
  const workerData: HeicTask = { path, into, progress: progress.buffer }
  const worker = new Worker(companionUrl('heic-worker'), { workerData })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const tooLate = () => reject(new ToolTimedOut(`the HEIC picture took longer than ${timeoutSeconds} s`))
  const timer = setTimeout(tooLate, timeoutSeconds * 1000)
  worker.once('error', (error) => {
    if (progress[0] === 0) reject(new ToolUnavailable('the HEIC decoder does not start', { cause: error }))
    else if ('syscall' in error) reject(error)
    else reject(new ToolFailed("the HEIC picture can't be decoded", { cause: error }))
  })
  worker.once('exit', () => {
    if (progress[0] === heicProgress.done) resolve()
    else reject(new ToolFailed('the HEIC decoder ended early'))
  })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
