/** What ExifTool found in a file, by family. */
export type Tags = Readonly<Record<string, unknown>>

/** What a camera wrote about a picture, for people; empty where it didn't. */
export interface CameraFacts {
  camera: string
  lens: string
  exposure: string
  iso: string
}

/** Longest distance of a zone from UTC, in seconds. */
const FARTHEST_ZONE = 15 * 3_600
const timePattern = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?/

/** @param number writes a number as the reader does */
export function cameraFacts(tags: Tags, number: (value: number) => string): CameraFacts {
  const tag = (name: string): unknown =>
    ['EXIF', 'QuickTime', 'XMP'].map((family) => groupOf(tags, family)[name]).find((value) => value != null)
  const words = (name: string): string => {
    const value = tag(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const amount = (name: string): number => {
    const value = Number(tag(name))
    return Number.isFinite(value) && value > 0 ? value : 0
  }
  const [make, model] = [words('Make'), words('Model')]
  const [seconds, aperture, length] = [amount('ExposureTime'), amount('FNumber'), amount('FocalLength')]
  const exposure = [
    seconds && `${seconds < 0.5 ? `1/${number(Math.round(1 / seconds))}` : number(seconds)} s`,
    aperture && `f/${number(aperture)}`,
    length && `${number(length)} mm`,
  ]
  return {
    camera: model.toLowerCase().startsWith(make.split(' ')[0]!.toLowerCase()) ? model : `${make} ${model}`.trim(),
    lens: words('LensModel') || words('Lens'),
    exposure: exposure.filter(Boolean).join(', '),
    iso: amount('ISO') ? number(amount('ISO')) : '',
  }
}

/**
 * When a picture was taken, as its camera's clock showed it.
 * @param taken UNIX seconds that the library knows, in which the zone that the file names is taken account of
 * @returns UNIX seconds, as if that clock showed UTC
 */
export function clockOf(tags: Tags, taken: number): number {
  const written = [groupOf(tags, 'EXIF'), groupOf(tags, 'XMP')].flatMap((group) => [
    group.DateTimeOriginal,
    group.DateCreated,
    group.CreateDate,
    group.DateTimeDigitized,
  ])
  const clocks = written.flatMap((value) => {
    const parts = typeof value === 'string' ? timePattern.exec(value) : null
    if (!parts) return []
    const [year, month, day, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0))
    return Date.UTC(year!, month! - 1, day, hour, minute, second) / 1000
  })
  return clocks.find((clock) => Math.abs(clock - taken) <= FARTHEST_ZONE) ?? taken
}

function groupOf(tags: Tags, family: string): Record<string, unknown> {
  const group = tags[family]
  return typeof group === 'object' && group !== null ? (group as Record<string, unknown>) : {}
}
