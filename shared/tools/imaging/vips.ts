import { stat } from 'node:fs/promises'
import sharp, { type FailOnOptions, type Metadata, type Sharp } from 'sharp'
import { blamingTheFile, ToolFailed } from '../failure.ts'
import { ownProcessorTime } from '../processes/processor-time.ts'
import { outOfTime, type TimeLimit, wallTime } from '../processes/time-limit.ts'
import { checkDecodedBytes, checkHeldBytes, declaresTooMuch, maxPixels, pictureTime, sampleBytes } from './limits.ts'
import { shownTiffPicture, type TiffPicture } from './tiff-directories.ts'

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

/**
 * Opens a picture: its first frame, or all of an `animated` one, turned upright, with whatever can be decoded of a damaged one.
 * @param picture path of its file, or its bytes
 * @param options.space of the picture, as its header says
 * @param options.page of a TIFF, as its header says
 * @param options.ignoresProfile whether its samples stay as they are stored
 * @param options.failOn of what a damaged one is refused, in sharp's words
 * @param options.time after whose wall time the work on it is given up
 */
export function openImage(
  picture: string | Buffer,
  { space, page, animated = false, ignoresProfile: ignoreIcc = false, failOn = 'none', time = pictureTime }: Opening = {},
): Sharp {
  const pages = animated ? -1 : 1
  const options = { limitInputPixels: maxPixels, failOn, pages, sequentialRead: true, autoOrient: true, ignoreIcc, ...page } as const
  const image = sharp(picture, options).timeout(timeout(time))
  // Sharp takes 16 bits to Display P3, and would leave them there.
  return space === 'rgb16' ? image.pipelineColourspace('srgb') : image
}

interface Opening extends Partial<Pick<Header, 'space' | 'page'>> {
  animated?: boolean
  ignoresProfile?: boolean
  failOn?: FailOnOptions
  time?: TimeLimit
}

/** What a file says of its picture. */
export interface Header extends Metadata {
  /** Which of a TIFF's pictures it is, in sharp's words. */
  page?: { page: number; tiff?: { subifd: number } }
}

/** Sharp takes whole seconds, and 0 would be no limit. */
const timeout = (time: TimeLimit) => ({ seconds: Math.max(1, Math.floor(wallTime(time) / 1_000)) })

/** Pixels in memory as an image. */
export function rawImage(pixels: RawPixels): Sharp {
  const { width, height, channels } = pixels
  return sharp(pixels.data, { raw: { width, height, channels } }).timeout(timeout(pictureTime))
}

/** 8-bit samples, sRGB or grey, row by row. */
export interface RawPixels {
  data: Buffer
  width: number
  height: number
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha (not premultiplied). */
  channels: 1 | 2 | 3 | 4
}

/** Reads the header of a picture and refuses what would take too much, or isn't in the file. @throws ToolFailed, ToolTimedOut, ToolBusy */
export async function readHeader(path: string): Promise<Header> {
  const shown = await blamingTheFile(() => shownTiffPicture(path))
  const page = shown && pageOf(shown)
  const header: Header = { ...(await decoding(openImage(path, { page }).metadata())), page }
  if (!shownDepths.has(header.depth)) throw new ToolFailed(`a picture with samples of ${header.depth}`)
  checkDecodedBytes(bytesInMemory(header))
  const { size } = await stat(path)
  if (declaresTooMuch(header.format, header, size)) throw new ToolFailed('the picture declares more pixels than its file can hold')
  if (shown?.compression === uncompressed) {
    checkHeldBytes({ stored: sampleBytes({ ...header, bits: header.bitsPerSample ?? 8 }), held: size })
  }
  return header
}

/** Samples that libvips converts to those of 8 bits; of wider integers it takes the last 8. */
const shownDepths: ReadonlySet<Metadata['depth']> = new Set(['uchar', 'ushort', 'short', 'float'])

/** TIFF's number for it. */
const uncompressed = 1

const pageOf = ({ page, subifd }: TiffPicture): Header['page'] => ({ page, ...(subifd !== undefined && { tiff: { subifd } }) })

/** Bytes that a decoder may hold at a time: the whole picture, unless it comes row by row (a TIFF file may be one single strip). */
function bytesInMemory({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const rowByRow = (format === 'jpeg' || format === 'png') && !isProgressive
  if (rowByRow) return 0
  // Progressive JPEGs are kept as coefficients of 16 bits.
  const bits = depth === 'uchar' && format !== 'jpeg' ? 8 : depth === 'uchar' || depth === 'ushort' ? 16 : 32
  return sampleBytes({ width, height, channels, bits })
}

/**
 * Tells errors of a decoder or encoder by type.
 * @param time with which the picture was opened. The processor time is that of the whole process, which does little else
 * @throws ToolFailed, ToolTimedOut, ToolBusy
 */
export async function decoding<Result>(work: Promise<Result>, time = pictureTime): Promise<Result> {
  const before = ownProcessorTime()
  try {
    return await work
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (message.startsWith('timeout:')) throw outOfTime(ownProcessorTime() - before, time)
    throw new ToolFailed(`the picture can't be decoded: ${message}`, { cause: error })
  }
}
