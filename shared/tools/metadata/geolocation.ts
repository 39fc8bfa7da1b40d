import type { TagGroups } from './tags.ts'

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

/**
 * Coordinates from a file's tags: of EXIF or a film, else of XMP alone, as programs write that don't change the file's EXIF, last where IPTC's extension
 * of XMP says that it was created. Null where they are missing or impossible. Receivers without a fix write 0, 0.
 */
export function geolocation({ Composite: composite = {}, EXIF: exif = {}, XMP: xmp = {} }: TagGroups<string>): Geolocation | null {
  return (
    place(exif.GPSLatitude === undefined ? 'quicktime' : 'exif', composite.GPSLatitude, composite.GPSLongitude) ??
    place('xmp', xmp.GPSLatitude, xmp.GPSLongitude) ??
    place('xmp', xmp.LocationCreatedGPSLatitude, xmp.LocationCreatedGPSLongitude)
  )
}

function place(source: string, north: string | string[] | undefined, east: string | string[] | undefined): Geolocation | null {
  const latitude = degrees(north, 90)
  const longitude = degrees(east, 180)
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return null
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
