/** Subtitles in a stream's playlist. */
export interface ShownSubtitles {
  /** BCP 47 tag in its canonical form. */
  language: string
  /** Part of their files' names, below the stream's prefix. */
  id: string
}

/** Prefix of the names of a stream's subtitles in one language, below the stream's prefix. */
export const subtitlesNames = ({ language, id }: ShownSubtitles): string => `subtitles_${language}_${id}`

/** The playlist of the subtitles. */
export const subtitlesPlaylist = (subtitles: ShownSubtitles): string => `${subtitlesNames(subtitles)}.m3u8`
export const subtitlesSegment = (subtitles: ShownSubtitles, index: number): string =>
  `${subtitlesNames(subtitles)}_${String(index).padStart(5, '0')}.vtt`

const GROUP = 'subtitles'
const VARIANT = '#EXT-X-STREAM-INF:'

/**
 * The multivariant playlist that viewers get: the stream's, with subtitles as renditions that every variant may be shown with.
 * @param ladder the playlist of pictures and sounds (RFC 8216)
 * @param subtitles of one language each, in the order of the menu
 */
export function playlistOf(ladder: string, subtitles: readonly ShownSubtitles[]): string {
  if (subtitles.length === 0) return ladder
  const lines = ladder.split(/\r?\n/).map((line) => (line.startsWith(VARIANT) ? `${line},SUBTITLES="${GROUP}"` : line))
  const first = lines.findIndex((line) => line.startsWith(VARIANT))
  return lines.toSpliced(first, 0, ...renditions(subtitles)).join('\n')
}

/** One line for each. Names in a group must differ. */
function renditions(subtitles: readonly ShownSubtitles[]): string[] {
  const names = new Set<string>()
  return subtitles.map((each) => {
    const name = languageName(each.language)
    const unique = names.has(name) ? `${name} (${each.language})` : name
    names.add(unique)
    const attributes = `NAME="${unique}",LANGUAGE="${each.language}",AUTOSELECT=YES,DEFAULT=NO,FORCED=NO`
    return `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${GROUP}",${attributes},URI="${subtitlesPlaylist(each)}"`
  })
}

/** Longest tag, in characters, because it is part of file names. RFC 5646 (4.4.1) fits every tag into so many. */
const LONGEST_TAG = 35

/**
 * The canonical BCP 47 tag of subtitles: language, script, region and variants.
 * @returns undefined for invalid tags
 */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    const locale = new Intl.Locale(tag)
    // Intl also accepts extensions, which choose calendars and the like, and languages of five to eight letters, which don't exist.
    const isLanguage = locale.baseName === locale.toString() && locale.language.length <= 3
    return isLanguage && locale.baseName.length <= LONGEST_TAG ? locale.baseName : undefined
  } catch {
    return undefined
  }
}

/** A language's own name, capitalised: `Dansk`. The tag where no name is known. @param language a canonical tag */
export function languageName(language: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  // Invalid in a playlist's quoted string.
  return (first.toLocaleUpperCase(language) + rest.join('')).replaceAll(/["\r\n]/g, '')
}

/** Segments of a media playlist that are stored in parallel. */
export const PARALLELISM = 16

/** When a segment plays, in seconds. */
export interface Segment {
  start: number
  /** As its playlist writes it. */
  seconds: string
}

/** The segments of a media playlist (RFC 8216, 4.3.3). */
export function segmentsOf(playlist: string): Segment[] {
  let start = 0
  return Array.from(playlist.matchAll(/^#EXTINF:([\d.]+)/gm), ([, seconds = '0']) => {
    const segment = { start, seconds }
    start += Number(seconds)
    return segment
  })
}

/** How long a media playlist plays. */
export const secondsOf = (playlist: string): number => segmentsOf(playlist).reduce((sum, { seconds }) => sum + Number(seconds), 0)

/** Name of the media playlist of the pictures in the first of their sizes, which all are of one length; empty where a ladder has none. */
export const picturesOf = (ladder: string): string => /^[^#\s].*$/m.exec(ladder)?.[0].trim() ?? ''
