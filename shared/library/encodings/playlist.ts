/** Subtitles as a stream's playlist names them. */
export interface ShownSubtitles {
  /** BCP 47 tag in its canonical form. */
  language: string
  /** Names their files below the stream's prefix. */
  id: string
}

/** What all names of a stream's subtitles in one language begin with, below its prefix. */
export const subtitlesNames = ({ language, id }: ShownSubtitles): string => `subtitles_${language}_${id}`

/** Their playlist, and the WebVTT files that it names. */
export const subtitlesPlaylist = (subtitles: ShownSubtitles): string => `${subtitlesNames(subtitles)}.m3u8`
export const subtitlesSegment = (subtitles: ShownSubtitles, index: number): string =>
  `${subtitlesNames(subtitles)}_${String(index).padStart(5, '0')}.vtt`

const GROUP = 'subtitles'
const VARIANT = '#EXT-X-STREAM-INF:'

/**
 * The multivariant playlist that viewers get: the encoder's, with subtitles as renditions that every variant may be shown with.
 * @param ladder the playlist as the encoder wrote it (RFC 8216)
 * @param subtitles of one language each, in the order of the menu
 */
export function playlistOf(ladder: string, subtitles: readonly ShownSubtitles[]): string {
  if (subtitles.length === 0) return ladder
  const lines = ladder.split(/\r?\n/).map((line) => (line.startsWith(VARIANT) ? `${line},SUBTITLES="${GROUP}"` : line))
  const first = lines.findIndex((line) => line.startsWith(VARIANT))
  return lines.toSpliced(first, 0, ...renditions(subtitles)).join('\n')
}

/** One line for each. Their names differ, as the group demands. */
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

/** Characters of the longest tag: it is a part of files' names. RFC 5646 (4.4.1) has room for every tag in so many. */
const LONGEST_TAG = 35

/**
 * A language as subtitles know it: language, script, region and variants of a BCP 47 tag, in their canonical form.
 * @returns undefined where the tag is none
 */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    const locale = new Intl.Locale(tag)
    // Intl takes extensions, which choose calendars and the like, and languages of five to eight letters, of which there are none.
    const isLanguage = locale.baseName === locale.toString() && locale.language.length <= 3
    return isLanguage && locale.baseName.length <= LONGEST_TAG ? locale.baseName : undefined
  } catch {
    return undefined
  }
}

/** What a language calls itself, as a heading does: `Dansk`. Where nobody knows a name it is the tag. @param language a canonical tag */
export function languageName(language: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  // A quoted string of a playlist holds neither.
  return (first.toLocaleUpperCase(language) + rest.join('')).replaceAll(/["\r\n]/g, '')
}
