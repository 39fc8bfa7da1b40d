import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolTimedOut, ToolUnavailable } from '../failure.ts'

/** What heic-worker.ts is told. */
export interface HeicTask {
  path: string
  into: string
  maxPixels: number
  maxSide: number
}

/** What heic-worker.ts reports; it throws where it fails. */
export type HeicProgress = 'started' | 'done'

/** Milliseconds that one picture may take; 12 megapixels take about 1,000. */
const timeout = 60_000
/** The decoder reads the file into memory whole. */
const maxFileBytes = 256 * 1024 ** 2
/** The largest phones have 48 megapixels; each takes some 5 bytes in the decoder. */
const maxPixels = 100_000_000
const maxSide = 65_535

/**
 * Decodes a HEIC picture (HEVC, which libvips lacks) to a TIFF file, upright and with its colour profile. libheif runs as
 * WebAssembly in a thread of its own: a hostile file can neither hold up the program nor reach its memory.
 * @throws ToolFailed, ToolTimedOut, ToolUnavailable
 */
export async function heicToTiff(path: string, into: string): Promise<void> {
  if ((await stat(path)).size > maxFileBytes) throw new ToolFailed('the HEIC file is too large to decode')
  const workerData: HeicTask = { path, into, maxPixels, maxSide }
  const worker = new Worker(companionUrl('heic-worker'), { workerData })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new ToolTimedOut(`the HEIC picture took longer than ${timeout} ms`)), timeout)
  let started = false
  worker.on('message', (message: HeicProgress) => {
    started = true
    if (message === 'done') resolve()
  })
  worker.once('error', (error) => {
    if (!started) reject(new ToolUnavailable('the HEIC decoder does not start', { cause: error }))
    else if ('syscall' in error) reject(error)
    else reject(new ToolFailed("the HEIC picture can't be decoded", { cause: error }))
  })
  worker.once('exit', () => reject(new ToolFailed('the HEIC decoder ended early')))
  try {
    await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
