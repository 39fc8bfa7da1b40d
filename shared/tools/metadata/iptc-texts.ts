import { isUtf8 } from 'node:buffer'
import { ToolFailed } from '../failure.ts'
import type { RunExifTool } from './exiftool-process.ts'
import { parseAnswer } from './tags.ts'

/** Values of tags, by name, as ExifTool prints them. */
interface Printed {
  [name: string]: string | string[]
}

/** The escape sequence of ISO 2022 that IPTC declares UTF-8 by, as ExifTool prints it with `-n`. */
const UTF8 = '\x1b%G'

/**
 * Texts of IPTC, each in its own character set: most programs write UTF-8 and don't declare it, some declare it and write Latin-1, and one program
 * adds to what another wrote. ExifTool takes what isn't declared for Latin-1, and prints `?` for what isn't in the declared set.
 * @param printed the tags of IPTC: `City`, or `IPTC:City` and `IPTC2:City` (a second record) where `options` ask for groups
 * @param options of ExifTool, by which the same tags are printed under the same names
 * @returns those that may hold more than ASCII
 * @throws ToolFailed, and what `run` throws
 */
export async function readIptcTexts(run: RunExifTool, path: string, printed: Printed, options: readonly string[] = []): Promise<Printed> {
  const unsure = Object.keys(printed).filter((name) => [printed[name]!].flat().some((text) => /[^\0-\x7f]|\?/.test(text)))
  if (unsure.length === 0) return {}
  const tags = new Set(unsure.map((name) => `-IPTC:${name.replace(/^.*:/, '')}`))
  const answer = await run([...RAW, ...options, ...tags], path)
  if (answer.printed.length === 0) throw new ToolFailed(`ExifTool printed nothing: ${answer.errors}`)
  const raw = parseAnswer<string | string[]>(answer.printed.toString())
  const bytes = new Map(unsure.filter((name) => name in raw).map((name) => [name, [raw[name]!].flat().map(bytesOf)]))
  const isUtf8Record = [...bytes.values()].flat().some((text) => isUtf8(text) && CHARACTER.test(text.toString('latin1')))
  const texts = [...bytes].map(([name, values]) => {
    const isDeclared = printed[name.replace(/[^:]*$/, 'CodedCharacterSet')] === UTF8
    // ExifTool prints no zero bytes, but for those in base64.
    const decoded = values.map((value) => textOf(value, { isDeclared, isUtf8Record: isDeclared || isUtf8Record }).replaceAll('\0', ''))
    return [name, Array.isArray(printed[name]) ? decoded : decoded[0]!]
  })
  return Object.fromEntries(texts)
}

/** Prints bytes as they are where they are UTF-8, else in base64. Without `-m` ExifTool prints no more than 1,000 keywords. */
const RAW = ['-j', '-b', '-n', '-m', '-charset', 'iptc=UTF8', '-api', 'StructFormat=JSONQ']

function bytesOf(printed: string): Buffer {
  const bytes = printed.startsWith('base64:') ? Buffer.from(printed.slice('base64:'.length), 'base64') : undefined
  return bytes && !isUtf8(bytes) ? bytes : Buffer.from(printed)
}

/** A character of UTF-8 beyond ASCII, and the beginning of one at the end; in bytes as Latin-1. */
const CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/
const CUT_CHARACTER = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/

/** Longest texts of IPTC-IIM 4.2, in bytes. Programs cut there, also within a character. */
const LONGEST = new Set([32, 64, 128, 256, 2_000])

const windows1252 = new TextDecoder('windows-1252')

/** @param record.isUtf8Record whether the file declares UTF-8, or another text can be nothing else: a last `\xe9` alone is more often Latin-1's é */
function textOf(bytes: Buffer, record: { isDeclared: boolean; isUtf8Record: boolean }): string {
  if (isUtf8(bytes)) return bytes.toString()
  const text = bytes.toString('latin1')
  const hasCharacter = CHARACTER.test(text)
  const uncut = bytes.subarray(0, text.replace(CUT_CHARACTER, '').length)
  if (isUtf8(uncut) && (hasCharacter || (record.isUtf8Record && LONGEST.has(bytes.length)))) return uncut.toString()
  return record.isDeclared && hasCharacter ? bytes.toString() : windows1252.decode(bytes)
}
