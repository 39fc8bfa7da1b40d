import { filmDates } from './film-dates.ts'
import type { TagGroups } from './tags.ts'

type Texts = TagGroups<string>

/** Date, time and optional offset from UTC as EXIF, IPTC, XMP and QuickTime write them once ExifTool has unified their dates, or ISO 8601. */
const pattern = /^(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)? ?(Z|[+-]\d\d:?\d\d)?$/
/** A year without month, or a month without day: absent, or zero. */
const partial = /^(\d{4})(?:$|[:-](?:00\b|\d\d$|\d\d[:-]00\b))/
/** Photography's first century; earlier years, like those of the zero dates of unset clocks, are mistakes. */
const firstYear = 1826

/**
 * When a picture or a film was taken: UNIX seconds (negative before 1970), by the file's own offset from UTC where it says one, else as
 * if its clock showed UTC. Undefined where the file says nothing or nothing sensible.
 *
 * Dates of the original come before those of its digitisation, and each in the order EXIF, IPTC, XMP (Metadata Working Group, Guidelines for
 * Handling Image Metadata 2.0). Where of the original only year or month is known, as of old prints, it's unknown: the day of the scan is another date.
 */
export function cameraCreated(texts: Texts): number | undefined {
  const { EXIF: exif, IPTC: iptc, XMP: xmp } = texts
  const film = filmDates(texts)
  const original = [
    join(exif?.DateTimeOriginal, exif?.OffsetTimeOriginal ?? exif?.OffsetTime, ''),
    join(iptc?.DateCreated, iptc?.TimeCreated, ' '),
    join(xmp?.DateTimeOriginal),
    join(xmp?.DateCreated),
    ...film.original,
  ]
  const digitized = [
    join(exif?.CreateDate, exif?.OffsetTimeDigitized ?? exif?.OffsetTime, ''),
    join(iptc?.DigitalCreationDate, iptc?.DigitalCreationTime, ' '),
    join(xmp?.DateTimeDigitized),
    join(xmp?.CreateDate),
    ...film.digitized,
  ]
  const end = original.findIndex(isPartial)
  const candidates = end < 0 ? [...original, ...digitized] : original.slice(0, end)
  return candidates.map(unixSeconds).find((seconds) => seconds !== undefined)
}

const isPartial = (text: string) => Number(partial.exec(text)?.[1]) >= firstYear

/** Empty where there is no date. EXIF has blanks in place of unknown parts. */
function join(date: string | string[] | undefined, rest?: string | string[], separator = ''): string {
  if (typeof date !== 'string') return ''
  const known = date.trim().replace(/[ :]+$/, '')
  const joined = `${known}${separator}${typeof rest === 'string' ? rest.trim() : ''}`.trim()
  // An offset or a time that makes no sense must not cost the date.
  return [joined, known, known.slice(0, 'yyyy:mm:dd'.length)].find((text) => pattern.test(text)) ?? known
}

function unixSeconds(text: string): number | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (!exists || year < firstYear) return undefined
  return date.getTime() / 1000 - offsetSeconds(match[7])
}

/** Seconds east of UTC. */
function offsetSeconds(offset: string | undefined): number {
  if (!offset || offset === 'Z') return 0
  const digits = offset.replace(':', '')
  return Number(`${digits[0]}1`) * (Number(digits.slice(1, 3)) * 3_600 + Number(digits.slice(3, 5)) * 60)
}
