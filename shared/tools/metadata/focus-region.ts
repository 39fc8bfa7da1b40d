import { type Point, roundedPoint } from '../../vocabulary/point.ts'
import type { ExifTool } from './exiftool.ts'
import { type FileTags, parseAnswer } from './tags.ts'

/** A region as ExifTool prints it; a hostile file may have anything in its place. */
type Region = { Type?: unknown; FocusUsage?: unknown; Area?: { X?: unknown; Y?: unknown; Unit?: unknown } }

/**
 * The middle of the first region of a picture on which the camera focused, or that somebody marked so: regions of type `Focus` in XMP (Metadata Working
 * Group, Guidelines 2.0, 5.9). Undefined where there is none that is in the picture.
 * @param tags of the file, which say whether it has such a region: it takes another run of ExifTool
 * @returns a point of the upright picture
 * @throws what `ExifTool.run` throws
 */
export async function focusIn(
  exiftool: Pick<ExifTool, 'run'>,
  path: string,
  { texts }: Pick<FileTags, 'texts'>,
): Promise<Point | undefined> {
  if (![texts.XMP?.RegionType].flat().includes(FOCUS)) return undefined
  // In flat tags a region that says less shifts what those after it say.
  const { printed } = await exiftool.run(['-j', '-n', '-struct', '-XMP-mwg-rs:RegionInfo'], path)
  const { RegionInfo: info } = parseAnswer<{ RegionList?: unknown }>(printed.toString())
  const found = [Object(info).RegionList]
    .flat()
    .map((region) => pointOf(Object(region)))
    .find((point) => point !== undefined)
  return found && roundedPoint(upright(found, Number(texts.EXIF?.Orientation ?? 1)))
}

const FOCUS = 'Focus'
/** Points that the camera looked at, or could have, and didn't focus on. */
const UNUSED: ReadonlySet<unknown> = new Set(['EvaluatedNotUsed', 'NotEvaluatedNotUsed'])

function pointOf({ Type: type, FocusUsage: usage, Area: area }: Region): Point | undefined {
  const { X, Y, Unit: unit } = Object(area) as NonNullable<Region['Area']>
  const [x, y] = [fraction(X), fraction(Y)]
  return type === FOCUS && !UNUSED.has(usage) && unit === 'normalized' && x !== undefined && y !== undefined ? { x, y } : undefined
}

function fraction(value: unknown): number | undefined {
  const isWritten = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  const number = isWritten ? Number(value) : Number.NaN
  return number >= 0 && number <= 1 ? number : undefined
}

/** A point of the upright picture. Regions are those of the picture as it is stored, before it is turned. @param orientation EXIF's, 1 to 8 */
function upright({ x, y }: Point, orientation: number): Point {
  const [left, top] = [1 - x, 1 - y]
  const turned: { [orientation: number]: Point } = {
    2: { x: left, y },
    3: { x: left, y: top },
    4: { x, y: top },
    5: { x: y, y: x },
    6: { x: top, y: x },
    7: { x: top, y: left },
    8: { x: y, y: left },
  }
  return turned[orientation] ?? { x, y }
}
