import { isUtf8 } from 'node:buffer'
import { ToolFailed } from '../failure.ts'
import type { RunExifTool } from './exiftool-process.ts'
import { parseAnswer } from './tags.ts'

/** Values of tags, by group and name (`IPTC:City`), as ExifTool prints them. */
interface Printed {
  [name: string]: string | string[]
}

/** Has ExifTool print IPTC's texts as UTF-8 where the file doesn't declare their character set. By default it takes them for Latin-1. */
export const undeclaredIsUtf8: readonly string[] = ['-charset', 'iptc=UTF8']

/** The name of a tag of IPTC in whatever record of a file: ExifTool prints `IPTC2:City` of a second one, and writes `IPTC:City` into all. */
export const iptcName = (name: string): string => name.replace(/^IPTC\d+:/, 'IPTC:')

/** Tags of which bytes may be texts in any character set: those of IPTC, and what EXIF's ASCII holds of a picture's description. */
const isAnySet = (name: string) => /^(IPTC\d*:|(EXIF|IFD0):(ImageDescription|Artist|Copyright)$)/.test(name)

/** The escape sequence of ISO 2022 that IPTC declares UTF-8 by, as ExifTool prints it with `-n`. */
const UTF8 = '\x1b%G'

/**
 * Texts of IPTC and EXIF that are no UTF-8, in which ExifTool prints `?` for bytes. Each text has a character set of its own: some programs declare
 * UTF-8 and write Latin-1, and one program adds to what another wrote.
 * @param printed a file's tags, printed with `undeclaredIsUtf8`
 * @param options of ExifTool, by which the same tags are printed under the same names
 * @throws ToolFailed, and what `run` throws
 */
export async function textsBeyondUtf8(run: RunExifTool, path: string, printed: Printed, options: readonly string[]): Promise<Printed> {
  const candidates = Object.entries(printed).filter(([name]) => isAnySet(name))
  const unsure = candidates.filter(([, value]) => [value].flat().some((text) => text.includes('?')))
  if (unsure.length === 0) return {}
  const tags = new Set(unsure.map(([name]) => `-${iptcName(name)}`))
  const answer = await run([...BYTES, ...options, ...tags], path)
  if (answer.printed.length === 0) throw new ToolFailed(`ExifTool printed nothing: ${answer.errors}`)
  const raw = parseAnswer<string | string[]>(answer.printed.toString())
  const othersAreUtf8 = candidates.some(([, value]) => /[^\0-\x7f]/.test([value].flat().join('')))
  const texts = unsure.map(([name, value]) => {
    const isDeclared = printed[name.replace(/[^:]*$/, 'CodedCharacterSet')] === UTF8
    const decoded = [raw[name] ?? value].flat().map((text) => textOf(bytesOf(text), { isDeclared, isUtf8: isDeclared || othersAreUtf8 }))
    return [name, Array.isArray(value) ? decoded : decoded[0]!]
  })
  return Object.fromEntries(texts)
}

/** Prints bytes in base64 where they aren't UTF-8. Without `-m` ExifTool prints no more than 1,000 keywords. */
const BYTES = ['-j', '-b', '-n', '-m', '-api', 'StructFormat=JSONQ', ...undeclaredIsUtf8]

/** ExifTool's UTF-8 has no U+FFFE and U+FFFF. A text may look like base64. */
function bytesOf(printed: string): Buffer {
  const bytes = printed.startsWith('base64:') ? Buffer.from(printed.slice('base64:'.length), 'base64') : undefined
  return bytes && (!isUtf8(bytes) || /[\ufffe\uffff]/.test(bytes.toString())) ? bytes : Buffer.from(printed)
}

/** A character of UTF-8 beyond ASCII, and the beginning of one at the end; in bytes as Latin-1. */
const CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/
const CUT_CHARACTER = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/

/** Longest texts of IPTC-IIM 4.2, in bytes. Programs cut there, also within a character. */
const LONGEST = new Set([32, 64, 128, 256, 2_000])

const windows1252 = new TextDecoder('windows-1252')

/**
 * @param record.isUtf8 whether the file declares UTF-8 or other texts of it are no other set. Alone, a text that ends in `\xe9` is more often
 * Latin-1's é than a character that was cut off.
 */
function textOf(bytes: Buffer, record: { isDeclared: boolean; isUtf8: boolean }): string {
  if (isUtf8(bytes)) return bytes.toString()
  const text = bytes.toString('latin1')
  const hasCharacter = CHARACTER.test(text)
  const uncut = bytes.subarray(0, text.replace(CUT_CHARACTER, '').length)
  const isCut = isUtf8(uncut) && (hasCharacter || (record.isUtf8 && LONGEST.has(bytes.length)))
  const decoded = isCut ? uncut.toString() : record.isDeclared && hasCharacter ? bytes.toString() : windows1252.decode(bytes)
  return decoded.replaceAll('\0', '')
}
