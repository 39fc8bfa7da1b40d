import { type Line, UnusableSubtitles } from './cue.ts'

/** Byte order marks and their encodings. */
const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** The lines of a text file in UTF-8, or in UTF-16 with a byte order mark. Removes control characters. @throws UnusableSubtitles */
export function linesOf(bytes: Uint8Array): Line[] {
  const { encoding } = marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte)) ?? marks[0]
  const text = decode(bytes, encoding)
  // UTF-16 without a byte order mark contains NUL.
  if (text === undefined || text.includes('\0'))
    throw new UnusableSubtitles('The subtitles must be text in UTF-8, or in UTF-16 with a byte order mark.')
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.length > MAX_LINES) throw new UnusableSubtitles(`The subtitles must have at most ${MAX_LINES} lines.`)
  return lines.map((line, index) => ({ number: index + 1, text: line.replaceAll(CONTROL, '') }))
}

/** Ten for each allowed cue. */
const MAX_LINES = 100_000

/** Control characters except tab. */
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
