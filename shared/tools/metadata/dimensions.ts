import type { FileTags } from './tags.ts'

/**
 * Displayed width and height in pixels by a file's own tags, after its rotation. For files that aren't rendered: films, vector graphics, raw photos.
 * Undefined where the tags don't say.
 */
export function dimensionsFromTags({ printed }: Pick<FileTags, 'printed'>): { width: number; height: number } | undefined {
  const broadcast = displayedSize(printed)
  if (broadcast) return broadcast
  const size = /^(\d{1,6})[ x](\d{1,6})$/.exec(String(printed.Composite?.ImageSize ?? ''))
  const [width, height] = [Number(size?.[1] ?? 0), Number(size?.[2] ?? 0)]
  if (width === 0 || height === 0) return undefined
  return isTurned(printed) ? { width: height, height: width } : { width, height }
}

/** MXF tags hold the coded size with the codec's margins, and the displayed size: of each field where fields are separate. */
function displayedSize({ MXF = {} }: FileTags['printed']): { width: number; height: number } | undefined {
  const [width, height, layout] = [MXF.DisplayWidth, MXF.DisplayHeight, MXF.FrameLayout].map((value) => Number([value].flat()[0] ?? 0))
  if (!width || !height) return undefined
  return { width, height: layout === SEPARATE_FIELDS ? height * 2 : height }
}

/** SMPTE ST 377-1, G.2.1 */
const SEPARATE_FIELDS = 1

/** Films say so in degrees, pictures by an orientation of 5 to 8. */
function isTurned(printed: FileTags['printed']): boolean {
  const degrees = Number(printed.Composite?.Rotation ?? 0)
  return Math.abs(degrees) % 180 === 90 || Number(printed.EXIF?.Orientation ?? 1) >= 5
}
