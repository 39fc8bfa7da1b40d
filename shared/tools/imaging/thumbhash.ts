import { rgbaToThumbHash } from 'thumbhash'
import { fitInside } from './sizes.ts'
import { decoding, openImage, type RawPixels, rawImage } from './vips.ts'

/** Longest side of the hashed picture, in pixels: ThumbHash's limit. */
const SIDE = 100

/** Makes the ThumbHash of a small picture, in base64. @throws ToolFailed, ToolTimedOut if it can't be decoded */
export type ThumbHasher = (picture: Buffer) => Promise<string>

export function createThumbHasher(): ThumbHasher {
  return async (picture) => {
    const { data, info } = await decoding(
      openImage(picture).toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }),
    )
    return thumbHashOf({ data, width: info.width, height: info.height, channels: 4 })
  }
}

/** The ThumbHash of a decoded picture, in base64: at most 25 bytes. */
export async function thumbHashOf(pixels: RawPixels): Promise<string> {
  const { data, info } = await decoding(
    rawImage(pixels)
      .resize({ ...fitInside(pixels, SIDE), fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  )
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}
