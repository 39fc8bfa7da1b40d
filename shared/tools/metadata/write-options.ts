import type { Assignment } from './assignment.ts'
import { iptcName } from './character-sets.ts'
import type { PresentTags } from './present.ts'
import { PERSON_NAMES } from './sibling-tags.ts'

/** ExifTool's options that make assignments. Values are written as HTML (`-E`), so that a line holds any value, line breaks included. */
export function writeOptions(assigned: readonly Assignment[], present: PresentTags): string[] {
  const options = assigned.flatMap(({ tag, values }) => (PERSON_NAMES.includes(tag) ? take(tag, values, present) : assign(tag, values)))
  return ['-E', ...iptcInUtf8(assigned, present), ...options, ...digest(present)]
}

/** Texts of XMP in several languages. Without a language ExifTool would replace all of them. */
const IN_LANGUAGES = new Set([
  ...['XMP-dc:Title', 'XMP-dc:Description', 'XMP-dc:Rights', 'XMP-xmp:Title', 'XMP-xmp:Description'],
  ...['XMP-tiff:ImageDescription', 'XMP-tiff:Copyright', 'XMP-exif:UserComment'],
])

/**
 * `#` leaves values as they are. Otherwise ExifTool takes a line break in EXIF's copyright for what separates the photographer's from the
 * editor's, and most programs show nothing of the second. `^` writes a text that is empty.
 */
function assign(tag: string, values: readonly string[]): string[] {
  const name = IN_LANGUAGES.has(tag) ? `${tag}-x-default` : tag
  // With `=` an empty value, as among keywords of other programs, would remove the tag.
  return values.length === 0 ? [`-${tag}=`] : values.map((value) => `-${name}#^=${asHtml(value)}`)
}

/** Takes values out of a list, each from the structure that holds it. A new list would give the names to the first regions. */
function take(tag: string, values: readonly string[], present: PresentTags): string[] {
  const taken = (present.get(tag) ?? []).filter((value) => !values.includes(value))
  return [...new Set(taken)].map((value) => `-${tag}-=${asHtml(value)}`)
}

/** Declares IPTC to be in UTF-8, and re-codes the texts that the file has there so far. ASCII is the same in every set. */
function iptcInUtf8(assigned: readonly Assignment[], present: PresentTags): string[] {
  const ours = assigned.filter(({ tag }) => tag.startsWith('IPTC:'))
  // The first record of several comes last, and wins.
  const all = new Map([...present].reverse().map(([name, values]) => [iptcName(name), values]))
  const theirs = [...all].filter(([tag]) => tag.startsWith('IPTC:') && !ours.some((assignment) => assignment.tag === tag))
  if (theirs.length === 0 && ours.every(({ values }) => values.length === 0)) return []
  const recoded = theirs.filter(([, values]) => values.some((text) => /[^\0-\x7f]/.test(text)))
  return [...recoded.flatMap(([tag, values]) => assign(tag, values)), '-IPTC:CodedCharacterSet=UTF8']
}

/** Programs that find another digest than IPTC's take IPTC's cut values for newer than the whole ones of XMP. */
function digest(present: PresentTags): string[] {
  return present.has('Photoshop:IPTCDigest') ? ['-Photoshop:IPTCDigest=new'] : []
}

/** Blanks count, too: ExifTool drops those at the ends of a line. */
function asHtml(value: string): string {
  return value.replaceAll(/[^\p{L}\p{N}]/gu, (character) => `&#${character.codePointAt(0)};`)
}
