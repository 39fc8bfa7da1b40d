import type { TagGroups } from './tags.ts'

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
