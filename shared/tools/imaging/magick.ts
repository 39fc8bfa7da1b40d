import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { companionUrl } from '../companions.ts'
import { ToolFailed, ToolUnavailable } from '../failure.ts'
import { ownProcessorTime } from '../processes/processor-time.ts'
import { limitTime } from '../processes/time-limit.ts'
import { magickLimits } from './limits.ts'

/** The message to magick-worker.ts. */
export interface MagickTask {
  path: string
  format: 'Heic' | 'Bmp'
  into: string
}

/** The worker's answer. */
export interface MagickOutcome {
  /** Why the file can't be decoded; undefined on success. */
  failure: string | undefined
}

/**
 * Decodes a picture that libvips doesn't support to a TIFF file, upright and with its colour profile. ImageMagick runs as WebAssembly in a
 * worker thread, so a hostile file can neither block the program nor reach its memory. A bitmap of 24 megapixels takes 3.2 s and 530 MB.
 * @throws ToolFailed, ToolTimedOut, ToolBusy, ToolUnavailable
 */
export async function magickToTiff(path: string, format: MagickTask['format'], into: string): Promise<void> {
  if ((await stat(path)).size > magickLimits.fileBytes) throw new ToolFailed('the file is too large to decode')
  const worker = new Worker(companionUrl('magick-worker'), { workerData: { path, format, into } satisfies MagickTask })
  const { promise, resolve, reject } = Promise.withResolvers<MagickOutcome>()
  const release = limitTime(magickLimits.time, ownProcessorTime, reject)
  worker.once('message', resolve)
  worker.once('error', (error) => reject('syscall' in error ? error : new ToolUnavailable('ImageMagick fails', { cause: error })))
  worker.once('exit', () => reject(new ToolFailed('ImageMagick ended early')))
  try {
    const { failure } = await promise
    if (failure !== undefined) throw new ToolFailed(`the picture can't be decoded: ${failure}`)
  } finally {
    release()
    await worker.terminate()
  }
}
