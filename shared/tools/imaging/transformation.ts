import type { Dimensions } from './sizes.ts'

/** The transformation requested in a link. Absent properties leave the picture as it is. */
export interface Transformation {
  /** Maximum width and height in pixels, 1 to 4096. */
  width?: number
  height?: number
  grayscale?: boolean
  format?: OutputFormat
}

export const outputFormats = ['webp', 'jpeg', 'avif', 'png'] as const

/** The values of `output_format`. */
export type OutputFormat = (typeof outputFormats)[number]

/** Largest width and height that can be requested, in pixels. */
const MAX_TARGET_SIDE = 4096

const canonical = /^(?:width=([1-9]\d{0,3}))?(?:(?:^|&)height=([1-9]\d{0,3}))?(?:(?:^|&)(grayscale)=1)?(?:(?:^|&)output_format=([a-z]+))?$/

/**
 * Parses a link's query in the edge function's canonical form: `width`, `height`, `grayscale=1`, `output_format`, in this order and nothing
 * else.
 * @returns undefined for any other query
 */
export function parseTransformation(query: string): Transformation | undefined {
  const parts = canonical.exec(query)
  if (!parts) return undefined
  const [, width, height, grayscale, formatName] = parts
  const format = outputFormats.find((known) => known === formatName)
  if ([width, height].some((side) => Number(side ?? 1) > MAX_TARGET_SIDE) || (formatName && !format)) return undefined
  return {
    ...(width ? { width: Number(width) } : {}),
    ...(height ? { height: Number(height) } : {}),
    ...(grayscale ? { grayscale: true } : {}),
    ...(format ? { format } : {}),
  }
}

/** The result's dimensions: those of the original, scaled down to the requested ones. No side is below 1. */
export function targetOf(original: Dimensions, { width, height }: Pick<Transformation, 'width' | 'height'>): Dimensions {
  const scale = Math.min(1, (width ?? Number.POSITIVE_INFINITY) / original.width, (height ?? Number.POSITIVE_INFINITY) / original.height)
  return { width: scaled(original.width, scale), height: scaled(original.height, scale) }
}

function scaled(side: number, scale: number): number {
  return Math.max(1, Math.round(side * scale))
}
