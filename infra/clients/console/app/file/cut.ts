import type { Point, Size } from './zoom.ts'

/** Shapes for which pictures are cut most often: what they are called, width to height. */
export const shapes: readonly (readonly [name: string, ratio: number])[] = [
  ['1:1', 1],
  ['16:9', 16 / 9],
  ['4:5', 4 / 5],
]

/**
 * Where the largest cut of a shape lies whose middle is nearest to a point, as links cut.
 * @param point in fractions of the picture
 * @returns percent, as `object-position` has them: 0 is the left or upper end of where the cut can be, 100 the other one
 */
export function cutPosition(point: Point, picture: Size, ratio: number): Point {
  const own = picture.width / picture.height
  return { x: along(point.x, ratio / own), y: along(point.y, own / ratio) }
}

/** @param length of the cut, as a part of the picture; more than that is all of it */
function along(middle: number, length: number): number {
  if (length >= 1) return 50
  return Math.min(1, Math.max(0, (middle - length / 2) / (1 - length))) * 100
}
