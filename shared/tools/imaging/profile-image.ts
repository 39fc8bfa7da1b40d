import sharp, { type Sharp } from 'sharp'
import { ToolFailed } from '../failure.ts'
import { toldColoursOf } from './colours/told-colours.ts'
import { declaresTooMuch, profileImageLimits } from './limits.ts'
import { fitInside } from './sizes.ts'
import { convertToSrgb } from './srgb-image.ts'
import { type RawPixels, rawImage } from './vips.ts'

/** The cropped sizes of a profile image: width and height in pixels. */
export const profileSides = { small: 25, medium: 50, large: 100 } as const

/** A profile image in all sizes, as JPEGs. */
export type ProfileImages = Record<keyof typeof profileSides | 'original', Buffer>

/** Signatures of accepted formats, so that no other decoders see the bytes. */
const signatures: readonly RegExp[] = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s, /^GIF8[79]a/]

/** Longest side of what is kept as the original, in pixels. */
const MAX_SIDE = 4096

/**
 * Makes a user's profile image from a picture: its first frame, upright, in sRGB, on white where it is transparent, without metadata. All
 * sizes show the same square, the part that draws most attention. The original is the whole picture, never enlarged.
 * @param maxBytes limit of the original, which is otherwise encoded with lower quality, then scaled down
 * @throws ToolFailed whose message tells the sender what is wrong with the picture
 */
export async function drawProfileImages(picture: Buffer, maxBytes: number): Promise<ProfileImages> {
  const start = picture.toString('latin1', 0, 16)
  if (!signatures.some((signature) => signature.test(start))) throw new ToolFailed('is no JPEG, PNG, WebP or GIF picture')
  const pixels = await decode(picture)
  const square = await squareOf(pixels)
  const [small, medium, large] = await Promise.all(Object.values(profileSides).map((side) => encode(square, side, side, 90)))
  return { small: small!, medium: medium!, large: large!, original: await encodeWithin(maxBytes, pixels) }
}

/** Decodes once, to at most `MAX_SIDE`. */
async function decode(picture: Buffer): Promise<RawPixels> {
  const header = await orRefuse(sharp(picture, { pages: 1, limitInputPixels: false }).metadata())
  const { pixels } = profileImageLimits
  if (header.width * header.height > pixels) throw new ToolFailed(`has more than ${pixels / 1_000_000} million pixels`)
  if (declaresTooMuch(header.format, header, picture.length)) throw new ToolFailed('cannot be decoded: most of it is missing')
  if (header.format === 'jpeg' && hasTooManyScans(picture)) throw new ToolFailed('is built of too many scans')
  const colours = await orRefuse(toldColoursOf(picture))
  const options = { pages: 1, limitInputPixels: pixels, failOn: 'error', autoOrient: true, sequentialRead: true } as const
  const decoder = sharp(picture, { ...options, ignoreIcc: colours !== undefined })
  const resized = decoder.resize({ ...fitInside(header.autoOrient, MAX_SIDE), fit: 'fill' })
  const shown = colours ? await orRefuse(convertToSrgb(resized, header, colours)) : resized
  return rawPixels(shown.flatten({ background: 'white' }).toColourspace('srgb'))
}

/** Counts start-of-scan markers. They can't occur in a picture's data, and rarely in other segments. */
function hasTooManyScans(jpeg: Buffer): boolean {
  let scans = 0
  for (let at = jpeg.indexOf('ffda', 0, 'hex'); at >= 0 && scans <= profileImageLimits.scans; at = jpeg.indexOf('ffda', at + 2, 'hex'))
    scans++
  return scans > profileImageLimits.scans
}

/** The square that draws most attention, as large as the largest size or the picture. */
async function squareOf(pixels: RawPixels): Promise<RawPixels> {
  const side = Math.min(profileSides.large, pixels.width, pixels.height)
  return rawPixels(rawImage(pixels).resize(side, side, { fit: 'cover', position: sharp.strategy.attention }))
}

async function encodeWithin(maxBytes: number, pixels: RawPixels): Promise<Buffer> {
  const { width, height } = pixels
  let encoded = await encode(pixels, width, height, 90)
  for (let side = Math.max(width, height); encoded.length > maxBytes; side = Math.round(side * 0.75)) {
    const dimensions = fitInside(pixels, side)
    encoded = await encode(pixels, dimensions.width, dimensions.height, 75)
  }
  return encoded
}

function encode(pixels: RawPixels, width: number, height: number, quality: number): Promise<Buffer> {
  const resized = rawImage(pixels).resize(width, height, { fit: 'fill' })
  return orRefuse(resized.jpeg({ quality }).toBuffer())
}

async function rawPixels(image: Sharp): Promise<RawPixels> {
  const work = image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { data, info } = await orRefuse(work)
  const { width, height, channels } = info
  if (channels !== 1 && channels !== 3) throw new ToolFailed('cannot be decoded: it has other colours than pictures have')
  return { data, width, height, channels }
}

/** Replaces decoders' messages, which mean nothing to the sender of a picture. */
async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw new ToolFailed('cannot be decoded: it is damaged', { cause: error })
  })
}
