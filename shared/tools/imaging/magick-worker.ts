/** Worker thread that decodes one file (`workerData.path`) to a TIFF file (`workerData.into`), posts the outcome, and ends. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import {
  AlphaAction,
  CompressionMethod,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickImageInfo,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { isOfTheSystem } from '../failure.ts'
import { checkDecodedBytes, magickLimits, sampleBytes } from './limits.ts'
import type { MagickOutcome, MagickTask } from './magick.ts'

const { path, format, into } = workerData as MagickTask
await initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))))
parentPort?.postMessage({ failure: failureOf(bytesOf(path)) } satisfies MagickOutcome)

/** Corrects the file size in a bitmap's header. Some programs write a wrong one, and ImageMagick would refuse the file. */
function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path)
  if (format === 'Bmp' && bytes.length > 6) bytes.writeUInt32LE(bytes.length, 2)
  return bytes
}

/** All errors of the decoder count as the file's fault. */
function failureOf(bytes: Uint8Array): string | undefined {
  try {
    decode(bytes)
  } catch (error) {
    if (isOfTheSystem(error)) throw error
    return error instanceof Error ? error.message : String(error)
  }
  return undefined
}

/** Writes the first picture, upright, in 8 bits, with its colour profile. */
function decode(bytes: Uint8Array): void {
  const settings = new MagickReadSettings({ format: MagickFormat[format], frameIndex: 0, frameCount: 1 })
  const { width, height } = MagickImageInfo.create(bytes, settings)
  if (width * height > magickLimits.pixels) throw new Error('too many pixels')
  checkDecodedBytes(sampleBytes({ width, height, channels: 4, bits: 8 }))
  // The stream inside may declare another size: limits it to a square of the longer side.
  ResourceLimits.width = ResourceLimits.height = BigInt(Math.max(width, height))
  ImageMagick.read(bytes, settings, (image) => {
    image.depth = 8
    // Most programs leave a bitmap's alpha channel empty.
    if (format === 'Bmp') image.alpha(AlphaAction.Off)
    image.settings.compression = CompressionMethod.NoCompression
    image.write(MagickFormat.Tiff, (tiff) => writeFileSync(into, tiff))
  })
}
