import type { Sharp } from 'sharp'
import { pixelsOf } from './geometry.ts'
import { type Dimensions, type Region, scaledBy } from './sizes.ts'
import { type Header, type Opening, openImage } from './vips.ts'

/** What is shown of a picture, and how large. */
export interface WantedPart {
  /** Pixels of the result. */
  target: Dimensions
  /** What of the upright picture is shown. Absent: all. */
  region?: Region | undefined
  /** Whether the caller mirrors or turns the result: sharp would do that before some cuts. */
  isTurned?: boolean
}

/**
 * Opens a picture, or a part of it, upright and at a size.
 * @param header of the file at `path`
 */
export function openSized(path: string, header: Header, { target, region, isTurned = false }: WantedPart, opening: Opening): Sharp {
  const size = { ...target, fit: 'fill' } as const
  if (!region) return openImage(path, opening).resize(size)
  const { autoOrient: whole, orientation = 1 } = header
  const part = pixelsOf(region, whole)
  // Sharp would turn the whole picture before a cut.
  const stored = openImage(path, { ...opening, stored: true })
  if (isTurned || !isDecodedSmaller(header, part, target))
    return stored
      .extract(areaOf(storedPart(part, whole, orientation)))
      .resize(size)
      .autoOrient()
  const { resized, at } = wholeSize(part, whole, target)
  return stored
    .resize({ ...resized, fit: 'fill' })
    .extract({ ...at, ...target })
    .autoOrient()
}

/** Fewest pixels of a picture for which a smaller decoding pays. */
const WORTH_PIXELS = 2_000_000

/**
 * Whether the decoder makes a JPEG smaller, which takes a fraction of the time. Then the whole picture is made smaller before it is cut, so that the
 * cut is off by up to half a pixel of the result.
 */
function isDecodedSmaller({ format, width, height }: Header, part: Dimensions, target: Dimensions): boolean {
  return format === 'jpeg' && width * height >= WORTH_PIXELS && part.width >= 2 * target.width && part.height >= 2 * target.height
}

/** The size of the whole picture at the scale of a part of it, and where that part is then. */
export function wholeSize(part: Region, whole: Dimensions, target: Dimensions) {
  const [across, down] = [target.width / part.width, target.height / part.height]
  const width = Math.max(target.width, scaledBy(across, whole).width)
  const height = Math.max(target.height, scaledBy(down, whole).height)
  const left = Math.min(Math.round(part.x * across), width - target.width)
  const top = Math.min(Math.round(part.y * down), height - target.height)
  return { resized: { width, height }, at: { left, top } }
}

const areaOf = ({ x, y, width, height }: Region) => ({ left: x, top: y, width, height })

/** Where a part of the upright picture is stored. @param orientation of EXIF, 1 to 8 */
function storedPart({ x, y, width, height }: Region, whole: Dimensions, orientation: number): Region {
  const [right, bottom] = [whole.width - x - width, whole.height - y - height]
  switch (orientation) {
    case 2:
      return { x: right, y, width, height }
    case 3:
      return { x: right, y: bottom, width, height }
    case 4:
      return { x, y: bottom, width, height }
    case 5:
      return { x: y, y: x, width: height, height: width }
    case 6:
      return { x: y, y: right, width: height, height: width }
    case 7:
      return { x: bottom, y: right, width: height, height: width }
    case 8:
      return { x: bottom, y: x, width: height, height: width }
    default:
      return { x, y, width, height }
  }
}
