import { placeOf } from '../../../tools/imaging/geometry.ts'
import type { Dimensions, Rectangle } from '../../../tools/imaging/sizes.ts'
import type { Point } from '../../../vocabulary/point.ts'

const WHOLE = /^(0|[1-9]\d{0,8}),(0|[1-9]\d{0,8}),(0|[1-9]\d{0,8}),(0|[1-9]\d{0,8})$/
/** Of pictures of 268 million pixels a thousandth of a millionth is less than one. */
const SHARE = String.raw`((?:0|[1-9]\d{0,8})(?:\.\d{1,12})?)`
const SHARES = new RegExp(`^pct:${SHARE},${SHARE},${SHARE},${SHARE}$`)

/**
 * Parses the region of an IIIF address: `full`, `square`, `x,y,w,h` or `pct:x,y,w,h`. What lies outside of the picture is cut off.
 * @param focus that the square keeps; its middle is the nearest to it
 * @returns undefined for wrong syntax, and for a region without a pixel of the picture
 */
export function shownRegion(text: string, picture: Dimensions, focus: Point): Rectangle | undefined {
  const { width, height } = picture
  if (text === 'full') return { x: 0, y: 0, width, height }
  if (text === 'square') return square(picture, focus)
  const pixels = WHOLE.exec(text)
  if (pixels) {
    const [left, top, across, down] = pixels.slice(1).map(Number) as Four
    return within([left, top, left + across, top + down], picture)
  }
  const shares = SHARES.exec(text)
  if (!shares) return undefined
  const [left, top, across, down] = shares.slice(1).map(Number) as Four
  if (across === 0 || down === 0) return undefined
  const [x0, y0] = [at(left, width), at(top, height)]
  // However small the share is, it is of some pixel.
  return within([x0, y0, Math.max(x0 + 1, at(left + across, width)), Math.max(y0 + 1, at(top + down, height))], picture)
}

type Four = [number, number, number, number]

const at = (percent: number, side: number): number => Math.round((side * percent) / 100)

function within([left, top, right, bottom]: Four, picture: Dimensions): Rectangle | undefined {
  const [width, height] = [Math.min(right, picture.width) - left, Math.min(bottom, picture.height) - top]
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : undefined
}

function square({ width, height }: Dimensions, { x, y }: Point): Rectangle {
  const side = Math.min(width, height)
  const cut = { width: side, height: side }
  return { ...placeOf(cut, { x: 0, y: 0, width, height }, { x: width * x, y: height * y }), ...cut }
}
