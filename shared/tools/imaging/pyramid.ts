import { type Geometry, pixelsOf } from './geometry.ts'
import type { Dimensions } from './sizes.ts'

/**
 * A pyramid is a picture in tiles, with levels of half the size of the one before, as TIFF: a part of a large picture is decoded without the rest.
 * Pictures with fewer pixels have none: of 12 megapixels, as most phones make, the whole JPEG is decoded in 40 ms.
 */
const LEAST_PIXELS = 12_500_000

/** Whether a picture of this size has a pyramid. */
export const isForPyramid = ({ width, height }: Dimensions): boolean => width * height > LEAST_PIXELS

/** How a pyramid is stored. JPEG of this quality keeps all colours at full resolution. */
export const pyramidFormat = (transparent: boolean) =>
  ({
    ...(transparent ? ({ compression: 'lzw', predictor: 'horizontal' } as const) : ({ compression: 'jpeg', quality: 90 } as const)),
    ...{ pyramid: true, tile: true, tileWidth: 512, tileHeight: 512 },
  }) as const

/**
 * Whether a picture is rendered from the pyramid, instead of from the original: where that is faster, and has more pixels than the result, or exactly
 * those, as tiles of viewers.
 */
export function isServedByPyramid(original: Dimensions, { region, target }: Pick<Geometry, 'region' | 'target'>): boolean {
  if (!isForPyramid(original)) return false
  const part = region ? pixelsOf(region, original) : { x: 0, y: 0, ...original }
  return levelFor(part, target) > 0 || part.width * part.height <= (original.width * original.height) / 4
}

/** How far the ratio of sizes of a tile is off a power of two: sizes of tiles at edges are rounded up. */
const ROUNDED = 0.02

/** The level with at least twice the pixels of the result on each side, or exactly as many. */
export function levelFor(part: Dimensions, target: Dimensions): number {
  const level = Math.log2(Math.min(part.width / target.width, part.height / target.height))
  const isExact = Math.abs(level - Math.round(level)) < ROUNDED
  return Math.max(0, isExact ? Math.round(level) : Math.floor(level - 1))
}
