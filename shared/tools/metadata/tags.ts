import { ToolFailed } from '../failure.ts'

/** The tags of a file by group (`EXIF`, `IPTC`, `XMP`, `Composite`, …) and tag name. */
export type TagGroups<Value> = { [group: string]: { [tag: string]: Value | Value[] } }

export interface FileTags {
  /**
   * The output of `exiftool -j -g -n`, with character sets corrected (character-sets.ts). Whatever looks like a number or boolean is one.
   */
  printed: TagGroups<string | number | boolean>
  /** The same tags with every value as text, such as `"2.50"` and `"True"`. */
  texts: TagGroups<string>
}

// ExifTool's rules for values without quotes in its JSON (EscapeJSON in its script).
const looksLikeNumber = /^-?(\d|[1-9]\d{1,14})(\.\d{1,16})?(e[-+]?\d{1,3})?$/i
const looksLikeBoolean = /^(true|false)$/i

/**
 * Parses the answer of `exiftool -j -g -n -api StructFormat=JSONQ --System:all`: all values in quotes, no tags of the file system.
 * @param file values of `FileName` and `FileSize` (bytes), instead of the temporary file's
 * @throws ToolFailed for other output
 */
export function parseTags(json: string, file: { name: string; bytes: number }): TagGroups<string> {
  const { SourceFile: _, ...groups } = parseAnswer<string | { [tag: string]: string | string[] }>(json)
  const own = { FileName: file.name, FileSize: String(file.bytes) }
  const texts: TagGroups<string> = {}
  for (const [group, tags] of Object.entries(groups)) {
    if (typeof tags === 'object') texts[group] = group === 'File' ? { ...own, ...tags } : tags
  }
  texts.File ??= own
  return texts
}

/** @param texts from `parseTags` */
export function fileTags(texts: TagGroups<string>): FileTags {
  return { texts, printed: mapValues(texts, (tags) => mapValues(tags, print)) }
}

/** Parses ExifTool's JSON output for one file. @throws ToolFailed for other output */
export function parseAnswer<Value>(json: string): { [name: string]: Value } {
  let answer: unknown
  try {
    answer = JSON.parse(json)
  } catch (error) {
    throw new ToolFailed('ExifTool printed no valid JSON', { cause: error })
  }
  const [tags] = Array.isArray(answer) ? answer : []
  if (typeof tags !== 'object' || tags === null) throw new ToolFailed('ExifTool printed no tags')
  return tags
}

function print(value: string | string[]): string | number | boolean | (string | number | boolean)[] {
  return Array.isArray(value) ? value.map(printScalar) : printScalar(value)
}

function printScalar(text: string): string | number | boolean {
  if (looksLikeBoolean.test(text)) return text.toLowerCase() === 'true'
  // JSON has no numbers beyond a double's range.
  if (looksLikeNumber.test(text) && Number.isFinite(Number(text))) return Number(text)
  return text
}

/** Uses `Object.fromEntries`, which treats a hostile `__proto__` as an ordinary name, unlike assignment. */
function mapValues<From, To>(object: { [name: string]: From }, map: (value: From) => To): { [name: string]: To } {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
