import type { Point } from '../../vocabulary/point.ts'
import { type Dimensions, type Rectangle, type Region, scaledBy, wholePixels } from './sizes.ts'
import type { Transformation } from './transformation.ts'

/** Which pixels of a picture are shown, and at which size. */
export interface Geometry {
  /** What is shown. Absent: all. */
  region?: Region
  /** Pixels that it is shown with; on a canvas those of the picture on it. */
  target: Dimensions
  /** `attention`: of the region, the part of the target's shape that stands out. */
  keeps?: 'attention'
  /** Pixels of the canvas that the picture is in the middle of. */
  canvas?: Dimensions
}

/**
 * What a transformation shows of a picture: first the crop, of that the largest cut of the asked shape, then the size. Never enlarges; no side is
 * below 1.
 * @param original its upright size in pixels
 * @param focalPoint what a cut keeps where the transformation says nothing else; null: the middle
 */
export function geometryOf(original: Dimensions, asked: Transformation, focalPoint: Point | null): Geometry {
  const { crop, width, height, fit } = asked
  const both = width && height ? { width, height } : undefined
  const piece = crop ? pixelsOf(crop, original) : { x: 0, y: 0, ...original }
  const shape = fit === 'cover' && both ? both : asked.aspect
  const cut = shape ? largestOf(shape, piece) : piece
  // Rounding makes extreme shapes a little smaller than what is asked for.
  const target = fit === 'cover' && both ? smaller(both, cut) : insideOf(cut, asked)
  const canvas = fit === 'pad' && both ? { canvas: both } : {}
  if (shape && asked.focus === 'auto') return { ...regional(piece, original), target, keeps: 'attention', ...canvas }
  const placed = shape ? { ...placeOf(cut, piece, focusOf(asked, original, piece, focalPoint)), ...cut } : piece
  return { ...regional(placed, original), target, ...canvas }
}

function regional(rectangle: Rectangle, original: Dimensions): Pick<Geometry, 'region'> {
  const region = regionOf(rectangle, original)
  return region ? { region } : {}
}

/** The pixels that a region covers: at least one. */
export function pixelsOf({ x, y, width, height }: Region, whole: Dimensions): Rectangle {
  const [left, across] = pixelsAlong(x, width, whole.width)
  const [top, down] = pixelsAlong(y, height, whole.height)
  return { x: left, y: top, width: across, height: down }
}

/** @returns start and length in pixels */
function pixelsAlong(from: number, length: number, pixels: number): [start: number, length: number] {
  const start = Math.min(Math.round(from * pixels), pixels - 1)
  return [start, Math.max(1, Math.min(Math.round((from + length) * pixels), pixels) - start)]
}

/** The dimensions of the largest cut of a shape. */
function largestOf(shape: Dimensions, { width, height }: Dimensions): Dimensions {
  const isWider = width * shape.height > height * shape.width
  return isWider
    ? { width: wholePixels((height * shape.width) / shape.height), height }
    : { width, height: wholePixels((width * shape.height) / shape.width) }
}

/** The place of a cut within a piece at which the focus is nearest to the cut's middle, in pixels. */
export function placeOf(cut: Dimensions, piece: Rectangle, focus: Point): Point {
  return {
    x: startAlong(cut.width, { start: piece.x, length: piece.width }, focus.x),
    y: startAlong(cut.height, { start: piece.y, length: piece.height }, focus.y),
  }
}

function startAlong(cut: number, piece: { start: number; length: number }, focus: number): number {
  return Math.min(Math.max(Math.round(focus - cut / 2), piece.start), piece.start + piece.length - cut)
}

/** What a cut keeps, in pixels. */
function focusOf({ focus }: Transformation, original: Dimensions, piece: Rectangle, focalPoint: Point | null): Point {
  const point = focus === undefined ? focalPoint : focus
  if (point === null || typeof point === 'string') return { x: piece.x + piece.width / 2, y: piece.y + piece.height / 2 }
  return { x: point.x * original.width, y: point.y * original.height }
}

const smaller = (asked: Dimensions, has: Dimensions): Dimensions => (asked.width <= has.width && asked.height <= has.height ? asked : has)

/** The size, scaled down to the asked one. */
function insideOf(size: Dimensions, { width, height }: Pick<Transformation, 'width' | 'height'>): Dimensions {
  const scale = Math.min(1, (width ?? Number.POSITIVE_INFINITY) / size.width, (height ?? Number.POSITIVE_INFINITY) / size.height)
  return scaledBy(scale, size)
}

/** The region that a rectangle in whole pixels is. @returns undefined for all of the picture */
export function regionOf({ x, y, width, height }: Rectangle, whole: Dimensions): Region | undefined {
  if (width === whole.width && height === whole.height) return undefined
  return { x: x / whole.width, y: y / whole.height, width: width / whole.width, height: height / whole.height }
}
