import { languageName } from './languages.ts'

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
