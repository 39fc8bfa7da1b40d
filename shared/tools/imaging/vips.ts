import { stat } from 'node:fs/promises'
import sharp, { type FailOnOptions, type Metadata, type Sharp } from 'sharp'
import { blamingTheFile, ToolFailed } from '../failure.ts'
import { ownProcessorTime } from '../processes/processor-time.ts'
import { outOfTime, type TimeLimit, wallTime } from '../processes/time-limit.ts'
import { checkDecodedBytes, checkHeldBytes, declaresTooMuch, maxPixels, pictureTime, sampleBytes } from './limits.ts'
import { shownTiffPicture, type TiffPicture } from './tiff-directories.ts'

/**
 * Configures libvips for untrusted files: only these decoders are enabled (no SVG, which can contain programs), nothing is cached between
 * files, and one file uses one thread, because imports run in parallel.
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
 * Opens a picture upright: its first frame, or all frames if `animated`. Decodes what it can of a damaged one.
 * @param picture path of its file, or its bytes
 * @param options.space colour space in the picture's header
 * @param options.page page of a TIFF, from its header
 * @param options.ignoresProfile whether samples stay as stored
 * @param options.stored whether it lies as it is stored, instead of upright
 * @param options.failOn damage that is refused, as sharp's option
 * @param options.time time limit, of which the wall time counts
 */
export function openImage(
  picture: string | Buffer,
  { space, page, animated = false, stored = false, ignoresProfile: ignoreIcc = false, failOn = 'none', time = pictureTime }: Opening = {},
): Sharp {
  const pages = animated ? -1 : 1
  const options = { limitInputPixels: maxPixels, failOn, pages, sequentialRead: true, autoOrient: !stored, ignoreIcc, ...page } as const
  const image = sharp(picture, options).timeout(timeout(time))
  // Sharp would convert 16 bits to Display P3 and leave them there.
  return space === 'rgb16' ? image.pipelineColourspace('srgb') : image
}

export interface Opening extends Partial<Pick<Header, 'space' | 'page'>> {
  animated?: boolean
  stored?: boolean
  ignoresProfile?: boolean
  failOn?: FailOnOptions
  time?: TimeLimit
}

/** The header of a picture. */
export interface Header extends Metadata {
  /** The picture within a TIFF, as sharp's options. */
  page?: { page: number; tiff?: { subifd: number } }
}

/** Sharp's timeout has whole seconds, and 0 means no limit. */
const timeout = (time: TimeLimit) => ({ seconds: Math.max(1, Math.floor(wallTime(time) / 1_000)) })

/** An image of pixels in memory. */
export function rawImage(pixels: RawPixels): Sharp {
  const { width, height, channels } = pixels
  return sharp(pixels.data, { raw: { width, height, channels } }).timeout(timeout(pictureTime))
}

/** 8-bit samples in sRGB or grey, row by row. */
export interface RawPixels {
  data: Buffer
  width: number
  height: number
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha (not premultiplied). */
  channels: 1 | 2 | 3 | 4
}

/** Decodes an image to pixels in memory. @throws ToolFailed, ToolTimedOut, ToolBusy */
export async function decodePixels(image: Sharp, time = pictureTime): Promise<RawPixels> {
  const { data, info } = await decoding(image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }), time)
  const { width, height, channels } = info
  if (channels !== 1 && channels !== 2 && channels !== 3 && channels !== 4) throw new ToolFailed(`a picture of ${channels} channels`)
  return { data, width, height, channels }
}

/**
 * Reads the header of a picture. Refuses pictures that would take too much memory, or declare more than the file holds.
 * @throws ToolFailed, ToolTimedOut, ToolBusy
 */
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

/** Depths that libvips converts to 8 bits correctly. For wider integers it takes the last 8 bits. */
const shownDepths: ReadonlySet<Metadata['depth']> = new Set(['uchar', 'ushort', 'short', 'float'])

/** TIFF's number for no compression. */
const uncompressed = 1

const pageOf = ({ page, subifd }: TiffPicture): Header['page'] => ({ page, ...(subifd !== undefined && { tiff: { subifd } }) })

/** Bytes that a decoder may hold at a time: the whole picture, unless it is decoded row by row. A TIFF may be one single strip. */
function bytesInMemory({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const rowByRow = (format === 'jpeg' || format === 'png') && !isProgressive
  if (rowByRow) return 0
  // Progressive JPEGs are held as 16-bit coefficients.
  const bits = depth === 'uchar' && format !== 'jpeg' ? 8 : depth === 'uchar' || depth === 'ushort' ? 16 : 32
  return sampleBytes({ width, height, channels, bits })
}

/**
 * Translates errors of decoders and encoders.
 * @param time the limit with which the picture was opened. Processor time is measured for the whole process, which does little else
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
