/**
 * Limits of one picture, for every decoder. They are checked against the header and the file's size before a pixel is decoded or a byte
 * written.
 */
import { ToolFailed } from '../failure.ts'
import { type TimeLimit, timeLimit } from '../processes/time-limit.ts'
import type { Dimensions } from './sizes.ts'

/** Most pixels of a picture that is decoded row by row, 16,383 squared. The largest cameras have 200 megapixels. */
export const maxPixels = 268_402_689

/**
 * Most bytes of a picture that is held in memory, or converted, as a whole: 200 megapixels in RGB, 100 in 16 bits or as progressive JPEG.
 */
export const maxDecodedBytes = 600 * 1024 ** 2

/**
 * Time for one picture; one of 268 megapixels takes about five seconds. libvips only measures wall time, so on an idle machine a hostile
 * picture can use the processor that long.
 */
export const pictureTime: TimeLimit = { processor: 30_000, wall: 60_000 }

/** Time for one picture while a client waits. The largest take a few seconds. */
export const awaitedTime: TimeLimit = { processor: 15_000, wall: 20_000 }

/** HEIC and bitmaps, whose decoder holds the whole file and picture in memory. Phones have up to 48 megapixels. */
export const magickLimits = { fileBytes: 400 * 1024 ** 2, pixels: 100_000_000, time: timeLimit(60_000) }

/** Profile images: pixels (some formats take eight bytes each), and scans of a JPEG (encoders make a dozen). */
export const profileImageLimits = { pixels: 50_000_000, scans: 200 }

/**
 * Pictures of links. `side` and `avifSide` limit results without a requested size, in pixels: AVIF's encoder takes 26 bytes a pixel, and a
 * second for two million pixels. `bytes`: a function streams at most 200 MB.
 */
export const linkPictureLimits = { side: 8_192, avifSide: 4_096, bytes: 160 * 1024 ** 2 }

/** Smallest share of its pixels that a damaged file must contain to be shown. */
export const leastShare = 1 / 10

/**
 * Most pixels that one byte can encode: in JPEG a bit for each block of pixels, in PNG deflate's 1,032 bytes with eight pixels each, in GIF
 * the longest string of a code. WebP, AVIF and HEIC have no limit: one byte can describe a whole picture of one colour.
 */
const pixelsPerByte: { [format: string]: number } = { jpeg: 1_024, png: 8_256, gif: 4_096 }

/** Samples of a picture as declared in its header. */
export interface Samples extends Dimensions {
  /** Samples a pixel. */
  channels: number
  /** Bits a sample. */
  bits: number
}

/** Bytes that the samples take, each row in whole bytes. */
export function sampleBytes({ width, height, channels, bits }: Samples): number {
  return Math.ceil((width * channels * bits) / 8) * height
}

/** @param maxSide the format's own limit, in pixels @throws ToolFailed if it has no pixels, or too many */
export function checkDimensions({ width, height }: Dimensions, maxSide: number): void {
  const pixels = width * height
  if (!(width >= 1 && height >= 1 && Math.max(width, height) <= maxSide && pixels <= maxPixels)) {
    throw new ToolFailed(`a picture of ${width} x ${height} pixels is not decoded`)
  }
}

/** @throws ToolFailed if a decoder would hold, or a converter write, too many bytes */
export function checkDecodedBytes(bytes: number): void {
  if (!(bytes <= maxDecodedBytes)) throw new ToolFailed(`a picture of ${bytes} bytes is too large to decode`)
}

/**
 * For formats whose file size follows from their pixels; sizes in bytes.
 * @throws ToolFailed if the file contains hardly any of its pixels
 */
export function checkHeldBytes({ stored, held }: { stored: number; held: number }): void {
  if (!(held >= stored * leastShare)) throw new ToolFailed(`of a picture of ${stored} bytes the file holds ${Math.max(0, held)}`)
}

/** Whether a compressed file declares more pixels than its bytes can encode. @param format sharp's name of the format */
export function declaresTooMuch(format: string, { width, height }: Dimensions, fileBytes: number): boolean {
  return width * height > fileBytes * (pixelsPerByte[format] ?? Number.POSITIVE_INFINITY)
}
