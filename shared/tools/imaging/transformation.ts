import { MAX_SIZE } from '../../vocabulary/link-query.ts'
import type { Point } from '../../vocabulary/point.ts'
import type { Dimensions, Region } from './sizes.ts'

/** The transformation requested in a link. Absent properties leave the picture as it is. */
export interface Transformation {
  /** Cuts first. */
  crop?: Region
  /** The shape that is cut out then: width to height. */
  aspect?: Dimensions
  /** With both sizes: `cover` cuts to them, `pad` puts the picture on a canvas of them. */
  fit?: 'cover' | 'pad'
  /** What a cut to a shape keeps: a point of the whole picture, its middle, or what stands out. Absent: the file's focal point. */
  focus?: Point | 'center' | 'auto'
  /** Maximum width and height in pixels, 1 to 4096. */
  width?: number
  height?: number
  /** `rrggbb`: of the canvas, and behind what shows through in JPEG. */
  background?: string
  grayscale?: boolean
  /** Keeps the gain map of a picture that has one. */
  hdr?: boolean
  format?: WantedFormat
}

export const outputFormats = ['webp', 'jpeg', 'avif', 'png'] as const

/** The values of `output_format`, but `auto`. */
export type OutputFormat = (typeof outputFormats)[number]

/** Formats that a client may accept besides those that all browsers show. */
export type AcceptedFormat = 'avif' | 'webp'

/** A format, or (`auto`) the best of those that the client accepts. */
export type WantedFormat = OutputFormat | { accepted: readonly AcceptedFormat[] }

const fraction = String.raw`(?:0(?:\.\d{0,3}[1-9])?|1)`
const side = String.raw`[1-9]\d{0,3}`

/** The parameters in the order of the canonical form, with their values. */
const parameters = [
  ['crop', `${fraction}(?:,${fraction}){3}`],
  ['aspect', String.raw`[1-9]\d{0,2}:[1-9]\d{0,2}`],
  ['fit', 'cover|pad'],
  ['focus', `${fraction},${fraction}|center|auto`],
  ['width', side],
  ['height', side],
  ['background', '[0-9a-f]{6}'],
  ['grayscale', '1'],
  ['hdr', '1'],
  ['output_format', [...outputFormats, 'auto'].join('|')],
  ['accept', 'avif,webp|avif|webp'],
] as const

type Parts = { [Name in (typeof parameters)[number][0]]?: string }

const canonical = new RegExp(`^(?!&)${parameters.map(([name, value]) => `(?:(?:^|&)${name}=(?<${name}>${value}))?`).join('')}$`)

/**
 * Parses a link's query in the edge function's canonical form: its parameters in this order, and nothing else. A query with a preset is resolved
 * before.
 * @returns undefined for any other query
 */
export function parseTransformation(query: string): Transformation | undefined {
  const parts: Parts | undefined = canonical.exec(query)?.groups
  if (!parts) return undefined
  const { crop, aspect, fit, focus, width, height, background, grayscale, hdr, output_format: format, accept } = parts
  const transformation: Transformation = {
    ...(crop && { crop: regionIn(crop) }),
    ...(aspect && { aspect: shapeIn(aspect) }),
    ...(fit && { fit: fit as 'cover' | 'pad' }),
    ...(focus && { focus: focusIn(focus) }),
    ...(width && { width: Number(width) }),
    ...(height && { height: Number(height) }),
    ...(background && { background }),
    ...(grayscale && { grayscale: true }),
    ...(hdr && { hdr: true }),
    ...(format && { format: formatIn(format, accept) }),
  }
  return isWithinLimits(transformation) && (!accept || format === 'auto') ? transformation : undefined
}

function regionIn(text: string): Region {
  const [x, y, width, height] = text.split(',').map(Number) as [number, number, number, number]
  return { x, y, width, height }
}

function shapeIn(text: string): Dimensions {
  const [width, height] = text.split(':').map(Number) as [number, number]
  return { width, height }
}

function focusIn(text: string): Point | 'center' | 'auto' {
  if (text === 'center' || text === 'auto') return text
  const [x, y] = text.split(',').map(Number) as [number, number]
  return { x, y }
}

function formatIn(name: string, accept: string | undefined): WantedFormat {
  if (name !== 'auto') return name as OutputFormat
  return { accepted: (accept?.split(',') ?? []) as AcceptedFormat[] }
}

function isWithinLimits({ crop, aspect, width = 1, height = 1 }: Transformation): boolean {
  if (Math.max(width, height) > MAX_SIZE) return false
  if (aspect && Math.max(aspect.width, aspect.height) > 100) return false
  return !crop || (crop.width > 0 && crop.height > 0 && isInside(crop.x + crop.width) && isInside(crop.y + crop.height))
}

/** Sums of decimal fractions are off by less than this. */
const EPSILON = 1e-9

const isInside = (end: number): boolean => end <= 1 + EPSILON
