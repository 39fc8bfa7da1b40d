import type { Assignment } from './assignment.ts'
import { iptcName } from './character-sets.ts'
import type { PresentTags } from './present.ts'
import { PERSON_NAMES } from './sibling-tags.ts'

/** ExifTool's options for assignments. Values are HTML-escaped (`-E`), so that a line holds any value, line breaks included. */
export function writeOptions(assigned: readonly Assignment[], present: PresentTags): string[] {
  const options = assigned.flatMap(({ tag, values }) => (PERSON_NAMES.includes(tag) ? take(tag, values, present) : assign(tag, values)))
  return ['-E', ...iptcInUtf8(assigned, present), ...options, ...digest(present)]
}

/** XMP texts with several languages. Without a given language ExifTool would replace all of them. */
const IN_LANGUAGES = new Set([
  ...['XMP-dc:Title', 'XMP-dc:Description', 'XMP-dc:Rights', 'XMP-xmp:Title', 'XMP-xmp:Description'],
  ...['XMP-tiff:ImageDescription', 'XMP-tiff:Copyright', 'XMP-exif:UserComment'],
])

/**
 * `#` writes values unchanged. Otherwise ExifTool takes a line break in EXIF's copyright as the separator between photographer's and
 * editor's copyright, and most programs don't show the latter. `^` writes empty texts.
 */
function assign(tag: string, values: readonly string[]): string[] {
  const name = IN_LANGUAGES.has(tag) ? `${tag}-x-default` : tag
  // With `=` an empty value, as in other programs' keywords, would remove the tag.
  return values.length === 0 ? [`-${tag}=`] : values.map((value) => `-${name}#^=${asHtml(value)}`)
}

/** Removes values from a list, each from its structure. Writing a new list would assign the names to the first regions. */
function take(tag: string, values: readonly string[], present: PresentTags): string[] {
  const taken = (present.get(tag) ?? []).filter((value) => !values.includes(value))
  return [...new Set(taken)].map((value) => `-${tag}-=${asHtml(value)}`)
}

/** Declares IPTC as UTF-8, and re-encodes existing texts. ASCII is the same in every character set. */
function iptcInUtf8(assigned: readonly Assignment[], present: PresentTags): string[] {
  const ours = assigned.filter(({ tag }) => tag.startsWith('IPTC:'))
  // Reversed, so that the first of several records wins.
  const all = new Map([...present].reverse().map(([name, values]) => [iptcName(name), values]))
  const theirs = [...all].filter(([tag]) => tag.startsWith('IPTC:') && !ours.some((assignment) => assignment.tag === tag))
  if (theirs.length === 0 && ours.every(({ values }) => values.length === 0)) return []
  const recoded = theirs.filter(([, values]) => values.some((text) => /[^\0-\x7f]/.test(text)))
  return [...recoded.flatMap(([tag, values]) => assign(tag, values)), '-IPTC:CodedCharacterSet=UTF8']
}

/** Programs that find a wrong IPTC digest consider IPTC's cut values newer than XMP's whole ones. */
function digest(present: PresentTags): string[] {
  return present.has('Photoshop:IPTCDigest') ? ['-Photoshop:IPTCDigest=new'] : []
}

/** Escapes spaces, too: ExifTool drops those at the ends of a line. */
function asHtml(value: string): string {
  return value.replaceAll(/[^\p{L}\p{N}]/gu, (character) => `&#${character.codePointAt(0)};`)
}
