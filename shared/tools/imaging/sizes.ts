import type { RenditionSize } from '../../vocabulary/rendition-size.ts'

/** Longest sides of the masters from which pictures of links are rendered, in pixels. */
export const MASTER_SIDE = 2048
export const SMALL_MASTER_SIDE = 1280

/** Width and height in pixels. */
export interface Dimensions {
  width: number
  height: number
}

/** A part of an upright picture, in fractions of its sides from the left and the top: 0 to 1. */
export interface Region extends Dimensions {
  x: number
  y: number
}

/** A part of an upright picture, in whole pixels. */
export type Rectangle = Region

/** Longest side of a size in pixels. */
export function longestSide(size: RenditionSize): number {
  return Number.parseInt(size, 10)
}

/** Scales down dimensions to at most `longest` pixels on the longest side. No side is below 1. */
export function fitInside(original: Dimensions, longest: number): Dimensions {
  return scaledBy(Math.min(1, longest / Math.max(original.width, original.height)), original)
}

/** Dimensions times a factor. No side is below 1. */
export function scaledBy(factor: number, { width, height }: Dimensions): Dimensions {
  return { width: wholePixels(width * factor), height: wholePixels(height * factor) }
}

/** The nearest whole number of pixels, at least 1. */
export const wholePixels = (length: number): number => Math.max(1, Math.round(length))
