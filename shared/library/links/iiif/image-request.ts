import type { Dimensions, Rectangle } from '../../../tools/imaging/sizes.ts'
import type { Point } from '../../../vocabulary/point.ts'
import { Invalid, type Problem } from '../../errors.ts'
import { shownRegion } from './region.ts'
import { MAX_SIDE, sizeOf } from './size.ts'

/** What an address of the IIIF Image API 3.0 asks of a picture. */
export interface ImageRequest {
  region: Rectangle
  /** Before the picture is turned. */
  size: Dimensions
  /** Before it is turned. */
  mirrored: boolean
  /** Degrees clockwise. */
  turned: 0 | 90 | 180 | 270
  quality: Quality
  format: Format
}

const qualities = ['default', 'color', 'gray', 'bitonal'] as const
const formats = ['jpg', 'png', 'webp'] as const

type Quality = (typeof qualities)[number]
type Format = (typeof formats)[number]

const ROTATION = /^(!?)(0|90|180|270)$/

const rules = {
  region: 'must be full, square, x,y,w,h or pct:x,y,w,h, and show a part of the picture',
  size: `must be max, w, or ,h or w,h or !w,h or pct:n. Pictures are not enlarged, and have at most ${MAX_SIDE} pixels on a side`,
  rotation: 'must be 0, 90, 180 or 270, or one of these after !',
  quality: `must be one of ${qualities.join(', ')}`,
  format: `must be one of ${formats.join(', ')}`,
}

/**
 * Parses `{region}/{size}/{rotation}/{quality}.{format}`.
 * @param picture the upright original
 * @param focus that a square keeps
 * @throws Invalid
 */
export function imageRequest(path: string, picture: Dimensions, focus: Point): ImageRequest {
  const [regionText = '', sizeText = '', rotationText = '', file = '', ...more] = path.split('/')
  if (more.length > 0 || file === '')
    throw new Invalid({ path: '', message: 'The address must end in {region}/{size}/{rotation}/{quality}.{format}.' })
  const region = shownRegion(regionText, picture, focus)
  // What is wrong with the region must not hide what is wrong with the size.
  const size = sizeOf(sizeText, region ?? picture)
  const [, mirror, turned] = ROTATION.exec(rotationText) ?? []
  const [qualityText, formatText, ...rest] = file.split('.')
  const quality = qualities.find((known) => known === qualityText)
  const format = rest.length === 0 ? formats.find((known) => known === formatText) : undefined
  if (region && size && turned !== undefined && quality && format) {
    return { region, size, mirrored: mirror === '!', turned: Number(turned) as ImageRequest['turned'], quality, format }
  }
  const found = { region, size, rotation: turned, quality, format }
  const wrong = Object.entries(rules).filter(([path]) => found[path as keyof typeof rules] === undefined)
  throw new Invalid(wrong.map(([path, message]): Problem => ({ path, message })))
}

/** The one form of all addresses that ask for the same (Image API 3.0, 4.7). */
export function canonicalPath({ region, size, mirrored, turned, quality, format }: ImageRequest, picture: Dimensions): string {
  const { x, y, width, height } = region
  const isWhole = width === picture.width && height === picture.height
  const largest = sizeOf('max', region)
  const isLargest = size.width === largest?.width && size.height === largest.height
  return [
    isWhole ? 'full' : `${x},${y},${width},${height}`,
    isLargest ? 'max' : `${size.width},${size.height}`,
    `${mirrored ? '!' : ''}${turned}`,
    // Pictures have colours by default.
    `${quality === 'color' ? 'default' : quality}.${format}`,
  ].join('/')
}
