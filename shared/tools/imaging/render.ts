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
import { decoding, type Header, openImage, type RawPixels, rawImage, readHeader } from './vips.ts'

/** One size of an image, as a file. */
export interface Rendition extends Dimensions {
  size: RenditionSize
  /** Its file. Sizes that are no smaller than the original have one and the same. */
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
 * Renders the seven sizes of an image: upright, in sRGB, JPEG or (where anything shows through) PNG, never larger than the
 * original; of an animation the first frame, of a damaged file what can be decoded.
 *
 * @param mime its sniffed type
 * @param into folder for the files
 * @returns the original's dimensions, upright, in pixels (of a raw photo: its embedded preview's), and one rendition a size; with its ThumbHash
 * @throws ToolFailed, ToolTimedOut when it can't be decoded or is too large
 */
export type Renderer = (path: string, mime: string, into: string) => Promise<Rendered>

interface Largest {
  pixels: RawPixels
  transparent: boolean
}

/** Good to the eye at a third of quality 95's bytes. Not progressive: a fifth less time, and thumbnails arrive whole anyway. */
const jpeg = { quality: 80 } as const
const png = { compressionLevel: 6 } as const

/** @param exiftool takes the preview out of raw photos */
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

/** Decodes once, to the largest size; the smaller ones are made from it: a seventh of the work of decoding for each. */
async function decodeLargest(path: string, header: Header, original: string): Promise<Largest> {
  const target = fitInside(header.autoOrient, longestSide('1600px'))
  const image = await openInSrgb(path, header, { target, original })
  const { data, info } = await decoding(image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }))
  const { width, height, channels } = info
  if (channels !== 1 && channels !== 2 && channels !== 3 && channels !== 4) throw new ToolFailed(`a picture of ${channels} channels`)
  if (isHardlyDecoded(data, channels)) await checkIsWhole(path, header)
  return { pixels: { data, width, height, channels }, transparent: hasTransparency(data, channels) }
}

/**
 * Whether hardly anything may have been decoded: decoders answer the rest with the sample 0 (black, or another colour where samples mean that), JPEG's
 * with grey.
 */
function isHardlyDecoded(data: Buffer, channels: number): boolean {
  const pixels = data.length / channels
  const isOfOneColour = data.subarray(channels).equals(data.subarray(0, -channels))
  return isOfOneColour || [0, JPEG_FILLER].some((filler) => countOf(filler, data, channels) > pixels * (1 - leastShare))
}

const JPEG_FILLER = 128

/** Pixels that are this grey, whatever their opacity. */
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

/** libvips only warns of a TIFF's tiles and a JPEG's blocks that it can't decode. PNG has warnings that say nothing of the pixels. */
const warnsOfDamage: ReadonlySet<string> = new Set(['tiff', 'jpeg'])

/** @throws ToolFailed when any part of it can't be decoded */
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

/** Whether any pixel lets something through; many pictures carry an alpha channel without need. */
function hasTransparency(data: Buffer, channels: number): boolean {
  if (channels % 2 === 1) return false
  for (let index = channels - 1; index < data.length; index += channels) {
    if (data[index] !== 255) return true
  }
  return false
}
