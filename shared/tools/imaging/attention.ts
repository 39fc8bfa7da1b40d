import type { TimeLimit } from '../processes/time-limit.ts'
import { pixelsOf, regionOf } from './geometry.ts'
import { type Dimensions, fitInside, type Region, scaledBy } from './sizes.ts'
import { openInSrgb } from './srgb-image.ts'
import { decodePixels, decoding, type Header, rawImage } from './vips.ts'

/** Longest side of what is looked at, in pixels. libvips itself looks at no more than 32. */
const LOOKED_AT = 320

/**
 * The largest part of a picture, or of a region of it, that has a shape and holds what stands out: of the first frame, because frames must not jump.
 * @param header of the file at `path`
 * @throws ToolFailed, ToolTimedOut, ToolBusy
 */
export async function attentionRegion(
  path: string,
  header: Header,
  { region = { x: 0, y: 0, width: 1, height: 1 }, shape, time }: { region?: Region | undefined; shape: Dimensions; time: TimeLimit },
): Promise<Region | undefined> {
  const piece = pixelsOf(region, header.autoOrient)
  const cut = within(piece, scaledBy(Math.min(piece.width / shape.width, piece.height / shape.height), shape))
  const looked = fitInside(piece, LOOKED_AT)
  const small = within(looked, scaledBy(looked.width / piece.width, cut))
  const pixels = await decodePixels(await openInSrgb(path, header, { region, target: looked, time }), time)
  const { width, height } = pixels
  const found = rawImage(pixels).resize({ ...small, fit: 'cover', position: 'attention' })
  const { cropOffsetLeft = 0, cropOffsetTop = 0 } = (await decoding(found.raw().toBuffer({ resolveWithObject: true }), time)).info
  const placed = {
    ...cut,
    x: piece.x + along(-cropOffsetLeft / width, piece.width, cut.width),
    y: piece.y + along(-cropOffsetTop / height, piece.height, cut.height),
  }
  return regionOf(placed, header.autoOrient)
}

const within = (outer: Dimensions, { width, height }: Dimensions): Dimensions => ({
  width: Math.min(width, outer.width),
  height: Math.min(height, outer.height),
})

/** Where a cut of this length starts, in pixels. @param start in parts of the piece */
const along = (start: number, piece: number, cut: number): number => Math.min(Math.round(start * piece), piece - cut)
