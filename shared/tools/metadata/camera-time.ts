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

/** Dates of a film, the best ones first, in ExifTool's form: `2020:01:31 12:30:00+02:00`, without the parts that nobody knows. */
export interface FilmDates {
  /** When it was filmed. */
  original: string[]
  /** When its file was made. */
  digitized: string[]
}

type Place = readonly [group: string, ...tags: string[]]

/** When it was filmed, by ExifTool's groups and names of tags. */
const ORIGINAL: readonly Place[] = [
  // Cameras and phones: `creationdate` of Apple, `date` and `IDIT` of others, and `©day` of the user data.
  ['QuickTime', 'CreationDate', 'DateTimeOriginal', 'ContentCreateDate'],
  ['XMP', 'ShotDate'],
  // Sony's metadata beside the frames.
  ['XML', 'CreationDateValue'],
  ['MakerNotes', 'DateTimeOriginal'],
  // `IDIT`, packs of AVCHD and of tapes, `DATE_RECORDED` and `DateUTC`.
  ...['RIFF', 'H264', 'DV', 'Matroska'].map((group) => [group, 'DateTimeOriginal'] as const),
  // Apple's date in films that were put into another container.
  ['Matroska', 'Comapplequicktimecreationdate'],
  ['RIFF', 'DateCreated'],
  ...['Matroska', 'Vorbis', 'Flash'].map((group) => [group, 'Date'] as const),
]

/** When its file was made. */
const DIGITIZED: readonly Place[] = [
  ['Matroska', 'CreateDate', 'DateEncoded'],
  ['QuickTime', 'CreateDate', 'MediaCreateDate', 'TrackCreateDate'],
  ['MXF', 'ClipCreationDateTime', 'CreateDate'],
  ['ASF', 'EncodingTime', 'CreationDate'],
  ['Flash', 'CreateDate', 'Creation_time'],
  ['Vorbis', 'CreationTime'],
]

/** What clocks say that nobody set: the first days of Macintosh and UNIX, the latter also as two digits of this century. */
const UNSET = /^(0000|1904:01:01|1970:01:01|2070:01:01)/

/** The dates of a film by its tags. */
export function filmDates(texts: TagGroups<string>): FilmDates {
  return { original: datesAt(ORIGINAL, texts), digitized: datesAt(DIGITIZED, texts) }
}

function datesAt(places: readonly Place[], texts: TagGroups<string>): string[] {
  return places
    .flatMap(([group, ...tags]) => tags.map((tag) => texts[group]?.[tag]))
    .filter((value) => typeof value === 'string')
    .map(unified)
    .filter((date) => /^\d{4}/.test(date) && !UNSET.test(date))
}

/** Some are ISO 8601, or have slashes. */
const unified = (date: string) =>
  date
    .trim()
    .replace(/^\d{4}[-/]\d\d(?:[-/]\d\d)?/, (day) => day.replaceAll(/[-/]/g, ':'))
    .replace(/(?<=^\S{10})T/, ' ')
    .replace(/ DST$/, '')
