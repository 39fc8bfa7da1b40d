/** Thread that decodes one HEIC file (`workerData.path`) into a TIFF file (`workerData.into`), posts how that went, and ends. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import {
  CompressionMethod,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickImageInfo,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { isOfTheSystem } from '../failure.ts'
import type { HeicOutcome, HeicTask } from './heic.ts'
import { checkDecodedBytes, heicLimits, sampleBytes } from './limits.ts'

const { path, into } = workerData as HeicTask
await initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))))
parentPort?.postMessage({ failure: failureOf(readFileSync(path)) } satisfies HeicOutcome)

/** Whatever the decoder throws is the file's fault. */
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
  const settings = new MagickReadSettings({ format: MagickFormat.Heic, frameIndex: 0, frameCount: 1 })
  const { width, height } = MagickImageInfo.create(bytes, settings)
  if (width * height > heicLimits.pixels) throw new Error('too many pixels')
  checkDecodedBytes(sampleBytes({ width, height, channels: 4, bits: 8 }))
  // The stream inside may declare another size: it is held to a square of the longer side.
  ResourceLimits.width = ResourceLimits.height = BigInt(Math.max(width, height))
  ImageMagick.read(bytes, settings, (image) => {
    image.depth = 8
    image.settings.compression = CompressionMethod.NoCompression
    image.write(MagickFormat.Tiff, (tiff) => writeFileSync(into, tiff))
  })
}
