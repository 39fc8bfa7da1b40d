import { randomUUID } from 'node:crypto'
import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { type RenditionSize, renditionSizes } from '../../vocabulary/rendition-size.ts'
import { blamingTheFile, ToolFailed } from '../failure.ts'
import type { ExifTool } from '../metadata/exiftool.ts'
import { makeDecodable } from './formats.ts'
import { leastShare } from './limits.ts'
import { type Dimensions, fitInside, longestSide } from './sizes.ts'
import { openInSrgb } from './srgb-image.ts'
import { thumbHashOf } from './thumbhash.ts'
import { decodePixels, decoding, type Header, openImage, type RawPixels, rawImage, readHeader } from './vips.ts'

/** One size of an image, as a file. */
export interface Rendition extends Dimensions {
  size: RenditionSize
  /** Its file. All sizes that are at least as large as the original share one. */
  path: string
  mime: 'image/jpeg' | 'image/png'
  bytes: number
}

export interface Rendered extends Dimensions {
  renditions: Rendition[]
  /** The ThumbHash in base64. */
  thumbhash: string
}

/**
 * Renders the seven sizes of an image: upright, in sRGB, as JPEG or (if anything is transparent) PNG, never larger than the original.
 * Renders the first frame of an animation, and what can be decoded of a damaged file.
 *
 * @param mime its sniffed type
 * @param into folder for the files
 * @returns the original's upright dimensions in pixels (for raw photos those of the embedded preview), a rendition for each size, and the
 *   ThumbHash
 * @throws ToolFailed, ToolTimedOut if it can't be decoded or is too large
 */
export type Renderer = (path: string, mime: string, into: string) => Promise<Rendered>

interface Largest {
  pixels: RawPixels
  transparent: boolean
}

/**
 * Looks good at a third of the bytes of quality 95. Not progressive: that takes a fifth less time, and thumbnails arrive at once anyway.
 */
const jpeg = { quality: 80 } as const
const png = { compressionLevel: 6 } as const

/** @param exiftool extracts the preview of raw photos */
export function createRenderer(exiftool: ExifTool): Renderer {
  return async (path, mime, into) => {
    await access(path)
    const temporary = join(into, `${randomUUID()}.decoded`)
    try {
      const decodable = await blamingTheFile(() => makeDecodable(path, mime, temporary, exiftool))
      const header = await readHeader(decodable)
      const original = header.autoOrient
      const largest = await decodeLargest(decodable, header, path)
      const encoded = new Map<string, Promise<Omit<Rendition, 'size'>>>()
      const renditions = renditionSizes.map(async (size) => {
        const dimensions = fitInside(original, longestSide(size))
        const key = `${dimensions.width}x${dimensions.height}`
        const rendition = encoded.get(key) ?? render(largest, dimensions, into)
        encoded.set(key, rendition)
        return { size, ...(await rendition) }
      })
      const thumbhash = thumbHashOf(largest.pixels)
      const { width, height } = original
      return { width, height, renditions: await Promise.all(renditions), thumbhash: await thumbhash }
    } finally {
      await rm(temporary, { force: true })
    }
  }
}

/** Decodes once, to the largest size, from which the smaller ones are made. Decoding for each size would be seven times the work. */
async function decodeLargest(path: string, header: Header, original: string): Promise<Largest> {
  const target = fitInside(header.autoOrient, longestSide('1600px'))
  const image = await openInSrgb(path, header, { target, original })
  const pixels = await decodePixels(image)
  const { data, channels } = pixels
  if (isHardlyDecoded(data, channels)) await checkIsWhole(path, header)
  return { pixels, transparent: hasTransparency(data, channels) }
}

/**
 * Whether decoding may have failed for most pixels: decoders fill missing ones with the sample 0 (black in most colour spaces), JPEG's with
 * grey.
 */
function isHardlyDecoded(data: Buffer, channels: number): boolean {
  const pixels = data.length / channels
  const isOfOneColour = data.subarray(channels).equals(data.subarray(0, -channels))
  return isOfOneColour || [0, JPEG_FILLER].some((filler) => countOf(filler, data, channels) > pixels * (1 - leastShare))
}

const JPEG_FILLER = 128

/** Number of pixels with this grey, whatever their opacity. */
function countOf(grey: number, data: Buffer, channels: number): number {
  const colours = channels >= 3 ? 3 : 1
  let count = 0
  for (let at = 0; at < data.length; at += channels) {
    let channel = 0
    while (channel < colours && data[at + channel] === grey) channel++
    if (channel === colours) count++
  }
  return count
}

/** libvips only warns about TIFF tiles and JPEG blocks that it can't decode. PNG's warnings are not about pixels. */
const warnsOfDamage: ReadonlySet<string> = new Set(['tiff', 'jpeg'])

/** @throws ToolFailed if any part can't be decoded */
async function checkIsWhole(path: string, { page, format }: Header): Promise<void> {
  const image = openImage(path, { page, failOn: warnsOfDamage.has(format) ? 'warning' : 'error' })
  await decoding(image.resize({ width: 1, height: 1, fit: 'fill' }).raw().toBuffer())
}

async function render({ pixels, transparent }: Largest, dimensions: Dimensions, into: string): Promise<Omit<Rendition, 'size'>> {
  const resized = rawImage(pixels).resize({ ...dimensions, fit: 'fill' })
  const encoder: Sharp = transparent ? resized.png(png) : resized.removeAlpha().jpeg(jpeg)
  const { data, info } = await decoding(encoder.toBuffer({ resolveWithObject: true }))
  if (data.length === 0 || info.width !== dimensions.width || info.height !== dimensions.height) {
    throw new ToolFailed('the picture was not rendered whole')
  }
  const path = join(into, `${randomUUID()}.${transparent ? 'png' : 'jpg'}`)
  await writeFile(path, data)
  return { path, ...dimensions, mime: transparent ? 'image/png' : 'image/jpeg', bytes: data.length }
}

/** Whether any pixel is transparent. Many pictures have an alpha channel that is fully opaque. */
function hasTransparency(data: Buffer, channels: number): boolean {
  if (channels % 2 === 1) return false
  for (let index = channels - 1; index < data.length; index += channels) {
    if (data[index] !== 255) return true
  }
  return false
}
