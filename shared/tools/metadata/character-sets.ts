import { isUtf8 } from 'node:buffer'
import { ToolFailed } from '../failure.ts'
import type { RunExifTool } from './exiftool-process.ts'
import { parseAnswer } from './tags.ts'

/** Values of tags, by group and name (`IPTC:City`), as ExifTool prints them. */
interface Printed {
  [name: string]: string | string[]
}

/** Makes ExifTool read IPTC as UTF-8 if the file doesn't declare a character set. Its default is Latin-1. */
export const undeclaredIsUtf8: readonly string[] = ['-charset', 'iptc=UTF8']

/**
 * The name of an IPTC tag without its record number: ExifTool prints `IPTC2:City` for a second record, and writes `IPTC:City` to all
 * records.
 */
export const iptcName = (name: string): string => name.replace(/^IPTC\d+:/, 'IPTC:')

/** Tags whose texts may be in any character set: those of IPTC, and EXIF's ASCII tags that describe the picture. */
const isAnySet = (name: string) => /^(IPTC\d*:|(EXIF|IFD0):(ImageDescription|Artist|Copyright)$)/.test(name)

/** ISO 2022's escape sequence by which IPTC declares UTF-8, as ExifTool prints it with `-n`. */
const UTF8 = '\x1b%G'

/**
 * Decodes IPTC and EXIF texts that are not UTF-8, for which ExifTool prints `?`. Each text may have its own character set: some programs
 * declare UTF-8 and write Latin-1, and several programs may have written to the file.
 * @param printed a file's tags, printed with `undeclaredIsUtf8`
 * @param options ExifTool's options that print the same tags under the same names
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

/** Print bytes that aren't UTF-8 in base64. Without `-m` ExifTool prints at most 1,000 keywords. */
const BYTES = ['-j', '-b', '-n', '-m', '-api', 'StructFormat=JSONQ', ...undeclaredIsUtf8]

/** ExifTool's UTF-8 excludes U+FFFE and U+FFFF. An ordinary text may look like base64. */
function bytesOf(printed: string): Buffer {
  const bytes = printed.startsWith('base64:') ? Buffer.from(printed.slice('base64:'.length), 'base64') : undefined
  return bytes && (!isUtf8(bytes) || /[\ufffe\uffff]/.test(bytes.toString())) ? bytes : Buffer.from(printed)
}

/** A non-ASCII UTF-8 character, and an incomplete one at the end. Bytes are written as Latin-1. */
const CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/
const CUT_CHARACTER = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/

/** Maximum lengths of IPTC-IIM 4.2 texts, in bytes. Programs cut there, even within a character. */
const LONGEST = new Set([32, 64, 128, 256, 2_000])

const windows1252 = new TextDecoder('windows-1252')

/**
 * @param record.isUtf8 whether the file declares UTF-8, or another text of it is UTF-8. Otherwise a text that ends in `\xe9` is more likely
 *   Latin-1's é than a cut-off character.
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
