import sharp, { type Metadata, type Sharp } from 'sharp'
import { ToolFailed, ToolTimedOut } from '../failure.ts'

/**
 * libvips as this service uses it on files of strangers: only these decoders exist (no SVG, which is a program; no format that nobody
 * asked for), nothing is cached between files, and one file uses one thread, as imports run side by side.
 */
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadTiff',
    'VipsForeignLoadHeif',
  ],
})

/** Pixels of the largest picture that is decoded row by row, 16,383 squared: the largest cameras have 200 megapixels. */
export const maxPixels = 268_402_689

/** Bytes of the largest picture whose decoder may hold it whole: 200 megapixels in RGB, 100 in 16 bits or as progressive JPEG. */
const maxBytesInMemory = 600 * 1024 ** 2

/** Seconds after which the work on one picture is given up. A picture of 268 megapixels takes some 5. */
const timeoutSeconds = 60

/** Opens a picture: its first frame, turned upright, with whatever can be decoded of a damaged one. */
export function openImage(path: string): Sharp {
  return sharp(path, { limitInputPixels: maxPixels, failOn: 'none', pages: 1, sequentialRead: true, autoOrient: true }).timeout({
    seconds: timeoutSeconds,
  })
}

/** Pixels in memory as an image. */
export function rawImage(pixels: RawPixels): Sharp {
  const { width, height, channels } = pixels
  return sharp(pixels.data, { raw: { width, height, channels } }).timeout({ seconds: timeoutSeconds })
}

/** 8-bit samples, sRGB or grey, row by row. */
export interface RawPixels {
  data: Buffer
  width: number
  height: number
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha (not premultiplied). */
  channels: 1 | 2 | 3 | 4
}

/** Reads the header of a picture and refuses what would take too much memory. @throws ToolFailed, ToolTimedOut */
export async function readHeader(path: string): Promise<Metadata> {
  const header = await decoding(openImage(path).metadata())
  const bytes = bytesInMemory(header)
  if (bytes > maxBytesInMemory) throw new ToolFailed(`a picture of ${bytes} bytes is too large to decode`)
  return header
}

/** What a decoder may hold at a time: the whole picture, unless it comes row by row (a TIFF file may be one single strip). */
function bytesInMemory({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const rowByRow = (format === 'jpeg' || format === 'png') && !isProgressive
  if (rowByRow) return 0
  // Progressive JPEGs are kept as coefficients of 16 bits.
  const sampleBytes = depth === 'uchar' && format !== 'jpeg' ? 1 : depth === 'uchar' || depth === 'ushort' ? 2 : 4
  return width * height * channels * sampleBytes
}

/** Tells errors of a decoder or encoder by type. */
export async function decoding<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (message.startsWith('timeout:')) throw new ToolTimedOut(`the picture took longer than ${timeoutSeconds} s`)
    throw new ToolFailed(`the picture can't be decoded: ${message}`, { cause: error })
  }
}
