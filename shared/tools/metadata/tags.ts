import { ToolFailed } from '../failure.ts'

/** The tags of a file by group (`EXIF`, `IPTC`, `XMP`, `Composite`, …) and tag name. */
export type TagGroups<Value> = { [group: string]: { [tag: string]: Value | Value[] } }

export interface FileTags {
  /** What `exiftool -j -g -n` prints, but for characters (character-sets.ts): numbers and booleans are whatever looks like one. */
  printed: TagGroups<string | number | boolean>
  /** The same tags with every value as the text that it is, `"2.50"` and `"True"` included. */
  texts: TagGroups<string>
}

// ExifTool's own rules for what goes without quotes into its JSON (EscapeJSON in its script).
const looksLikeNumber = /^-?(\d|[1-9]\d{1,14})(\.\d{1,16})?(e[-+]?\d{1,3})?$/i
const looksLikeBoolean = /^(true|false)$/i

/**
 * Parses the answer of `exiftool -j -g -n -api StructFormat=JSONQ --System:all`: everything in quotes, nothing of the file system.
 * @param file what `FileName` and `FileSize` (bytes) say in place of the temporary file's own
 * @throws ToolFailed when it is not that
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

/** @param texts as `parseTags` gives them */
export function fileTags(texts: TagGroups<string>): FileTags {
  return { texts, printed: mapValues(texts, (tags) => mapValues(tags, print)) }
}

/** Parses what ExifTool prints of one file as JSON. @throws ToolFailed when it is not that */
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
  // An exponent past a double's range has no number in JSON.
  if (looksLikeNumber.test(text) && Number.isFinite(Number(text))) return Number(text)
  return text
}

/** Unlike assignment, `Object.fromEntries` keeps a hostile `__proto__` an ordinary name. */
function mapValues<From, To>(object: { [name: string]: From }, map: (value: From) => To): { [name: string]: To } {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
