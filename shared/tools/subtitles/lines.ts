import { type Line, UnusableSubtitles } from './cue.ts'

/** The first bytes of files that say what their text is encoded in. */
const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/**
 * The lines of a text file: UTF-8, or UTF-16 that says so with its first character. Control characters are left out.
 * @throws UnusableSubtitles
 */
export function linesOf(bytes: Uint8Array): Line[] {
  const { encoding } = marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte)) ?? marks[0]
  const text = decode(bytes, encoding)
  // UTF-16 without a mark has them.
  if (text === undefined || text.includes('\0'))
    throw new UnusableSubtitles('The subtitles must be text in UTF-8, or in UTF-16 with a byte order mark.')
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.length > MAX_LINES) throw new UnusableSubtitles(`The subtitles must have at most ${MAX_LINES} lines.`)
  return lines.map((line, index) => ({ number: index + 1, text: line.replaceAll(CONTROL, '') }))
}

/** Ten for each cue that there may be. */
const MAX_LINES = 100_000

/** Control characters but tab. */
const CONTROL = /(?!\t)\p{Cc}/gu

/** Decodes without the byte order mark. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export const isBlank = ({ text }: Line): boolean => text.trim() === ''
