/**
 * The limits of one picture, for every decoder: checked by what its header declares and by what its file holds, before a pixel is decoded
 * or a byte written.
 */
import { ToolFailed } from '../failure.ts'
import { type TimeLimit, timeLimit } from '../processes/time-limit.ts'
import type { Dimensions } from './sizes.ts'

/** Pixels of the largest picture that is decoded row by row, 16,383 squared: the largest cameras have 200 megapixels. */
export const maxPixels = 268_402_689

/** Bytes of the largest picture that is held, or written in another format, whole: 200 megapixels in RGB, 100 in 16 bits or as progressive JPEG. */
export const maxDecodedBytes = 600 * 1024 ** 2

/**
 * Time for one picture; one of 268 megapixels takes some five seconds. libvips counts wall time alone, so that is how long a hostile picture has the
 * processor where nobody else wants it.
 */
export const pictureTime: TimeLimit = { processor: 30_000, wall: 60_000 }

/** The same where somebody waits. The largest take a few seconds. */
export const awaitedTime: TimeLimit = { processor: 15_000, wall: 20_000 }

/** HEIC and bitmaps, whose decoder takes file and picture into memory whole. The largest phones have 48 megapixels. */
export const magickLimits = { fileBytes: 400 * 1024 ** 2, pixels: 100_000_000, time: timeLimit(60_000) }

/** Profile images: pixels, of which some formats take eight bytes each, and scans of a JPEG (encoders make a dozen). */
export const profileImageLimits = { pixels: 50_000_000, scans: 200 }

/**
 * Pictures of links. `side` is that of results whose size isn't asked for, in pixels: AVIF's encoder takes 26 bytes a pixel, and a second for two
 * million of them. A function streams at most 200 MB.
 */
export const linkPictureLimits = { side: 8_192, avifSide: 4_096, bytes: 160 * 1024 ** 2 }

/** The least share of its pixels that a damaged file must hold to be shown. */
export const leastShare = 1 / 10

/**
 * Pixels for which one byte can stand at most: in JPEG blocks of a bit, in PNG deflate's 1,032 bytes of eight pixels each, in GIF the longest
 * string of a code. A single byte of WebP, AVIF or HEIC can describe a whole picture of one colour.
 */
const pixelsPerByte: { [format: string]: number } = { jpeg: 1_024, png: 8_256, gif: 4_096 }

/** Samples of a picture, as its header declares them. */
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

/** @param maxSide of the format itself, in pixels @throws ToolFailed when it has no pixels, or more than are decoded */
export function checkDimensions({ width, height }: Dimensions, maxSide: number): void {
  const pixels = width * height
  if (!(width >= 1 && height >= 1 && Math.max(width, height) <= maxSide && pixels <= maxPixels)) {
    throw new ToolFailed(`a picture of ${width} x ${height} pixels is not decoded`)
  }
}

/** @throws ToolFailed when a decoder would hold, or a converter write, too many bytes */
export function checkDecodedBytes(bytes: number): void {
  if (!(bytes <= maxDecodedBytes)) throw new ToolFailed(`a picture of ${bytes} bytes is too large to decode`)
}

/** For formats whose size follows from their pixels. @throws ToolFailed when hardly anything of the stored pixels is there, in bytes */
export function checkHeldBytes({ stored, held }: { stored: number; held: number }): void {
  if (!(held >= stored * leastShare)) throw new ToolFailed(`of a picture of ${stored} bytes the file holds ${Math.max(0, held)}`)
}

/** Whether a compressed file declares more pixels than its bytes can stand for. @param format as sharp names it */
export function declaresTooMuch(format: string, { width, height }: Dimensions, fileBytes: number): boolean {
  return width * height > fileBytes * (pixelsPerByte[format] ?? Number.POSITIVE_INFINITY)
}
