import type { TagGroups } from '../../tools/metadata/tags.ts'

/** Where a picture was taken, as the interface shows it. */
export interface Geolocation {
  /** Where the coordinates come from: `exif`, `xmp`, or `quicktime` (films). */
  source: string
  /** Decimal degrees, east positive. */
  longitude: string
  /** Decimal degrees, north positive. */
  latitude: string
}

/** Decimal places that are kept: a centimetre. */
const places = 7

/** Coordinates from a file's tags; null where they are missing or impossible. Receivers without a fix write 0, 0. */
export function geolocation(texts: TagGroups<string>): Geolocation | null {
  const latitude = degrees(texts.Composite?.GPSLatitude, 90)
  const longitude = degrees(texts.Composite?.GPSLongitude, 180)
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return null
  const source = texts.EXIF?.GPSLatitude !== undefined ? 'exif' : texts.XMP?.GPSLatitude !== undefined ? 'xmp' : 'quicktime'
  return { source, longitude: decimal(longitude), latitude: decimal(latitude) }
}

function degrees(text: string | string[] | undefined, limit: number): number | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const value = Number(text)
  return Math.abs(value) <= limit ? value : undefined
}

function decimal(value: number): string {
  const text = value.toFixed(places).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}
