import type { TagGroups } from '../../tools/metadata/tags.ts'

type Texts = TagGroups<string>

/** Date, time and optional offset from UTC as EXIF, IPTC, XMP and QuickTime write them once ExifTool has unified their dates. */
const pattern = /^(\d{4}):(\d\d):(\d\d)(?: (\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)? ?(Z|[+-]\d\d:?\d\d)?$/
/** Photography's first century; earlier years, like those of the zero dates of unset clocks, are mistakes. */
const firstYear = 1826

/**
 * When a picture was taken: UNIX seconds (negative before 1970), by the file's own offset from UTC where it says one, else as
 * if its clock showed UTC. Undefined where the file says nothing or nothing sensible.
 */
export function cameraCreated(texts: Texts): number | undefined {
  const { EXIF: exif, IPTC: iptc, XMP: xmp, QuickTime: quickTime } = texts
  const candidates = [
    join(exif?.DateTimeOriginal, exif?.OffsetTimeOriginal ?? exif?.OffsetTime, ''),
    join(exif?.CreateDate, exif?.OffsetTimeDigitized ?? exif?.OffsetTime, ''),
    join(iptc?.DateCreated, iptc?.TimeCreated, ' '),
    xmp?.DateTimeOriginal,
    xmp?.DateCreated,
    xmp?.CreateDate,
    quickTime?.CreationDate,
    quickTime?.CreateDate,
  ]
  for (const candidate of candidates) {
    const seconds = typeof candidate === 'string' ? unixSeconds(candidate) : undefined
    if (seconds !== undefined) return seconds
  }
  return undefined
}

function join(first: string | string[] | undefined, second: string | string[] | undefined, separator: string): string | undefined {
  if (typeof first !== 'string') return undefined
  const joined = `${first.trim()}${separator}${typeof second === 'string' ? second.trim() : ''}`.trim()
  // An offset or a time that makes no sense must not cost the date.
  return pattern.test(joined) ? joined : first.trim()
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
