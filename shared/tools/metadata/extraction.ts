import { cameraCreated } from './camera-time.ts'
import { type Geolocation, geolocation } from './geolocation.ts'
import { cutForIptc, type IptcDataset } from './iptc-limits.ts'
import type { TagGroups } from './tags.ts'

/** Values of the `iptc` object: text, or integers for the few fields that the IPTC defines as such. */
export type IptcValue = string | number | (string | number)[]

/** What an import takes over from a file's own metadata. Empty strings and arrays where the file says nothing. */
export interface ExtractedMetadata {
  title: string
  description: string
  keywords: string[]
  copyright: string
  byline: string
  iptc: { [tag: string]: IptcValue } | null
  geolocation: Geolocation | null
  /** UNIX seconds. */
  cameraCreated?: number
}

/** Longest texts in characters (code points). Longer texts are cut, not refused. IPTC itself allows 2,000 for a caption. */
export const limits = { title: 2_000, description: 10_000, copyright: 2_000, byline: 2_000, keyword: 255, keywords: 1_000 } as const

/** Largest `iptc` object in bytes of JSON; fields past that are left out. */
const maxIptcBytes = 65_536

/** IPTC-IIM datasets that hold binary integers. All others hold text, also where it looks like a number. */
const integers = new Set([
  'EnvelopeRecordVersion',
  'FileFormat',
  'FileVersion',
  'ARMIdentifier',
  'ARMVersion',
  'ApplicationRecordVersion',
  'ObjectPreviewFileFormat',
  'ObjectPreviewFileVersion',
])

type Texts = TagGroups<string>

/**
 * The interface's extraction table. The first non-empty source of each field wins. Keywords also come from XMP where IPTC has none: files of many
 * formats and programs have no IPTC.
 * @param texts a file's tags with every value as text (`FileTags.texts`)
 */
export function extractMetadata(texts: Texts): ExtractedMetadata {
  const { EXIF: exif = {}, IPTC: iptc = {} } = texts
  const taken = cameraCreated(texts)
  const ofIptc = keywords(uncut('Keywords', iptc.Keywords, texts.XMP?.Subject))
  return {
    // A headline of XMP that is there and empty says that there is no title: so does a download whose title somebody emptied.
    title: first(
      limits.title,
      xmpText(texts, 'Title'),
      iptc.Headline,
      iptc.ObjectName,
      texts.XMP?.Headline === '' ? '' : iptc['Caption-Abstract'],
    ),
    description: first(limits.description, xmpText(texts, 'Description'), exif.ImageDescription, iptc['Caption-Abstract']),
    keywords: ofIptc.length > 0 ? ofIptc : keywords(texts.XMP?.Subject),
    copyright: first(limits.copyright, uncut('CopyrightNotice', iptc.CopyrightNotice, xmpText(texts, 'Rights'))),
    byline: first(limits.byline, iptc['By-line'], iptc['By-lineTitle']),
    iptc: iptcObject(texts.IPTC),
    geolocation: geolocation(texts),
    ...(taken !== undefined && { cameraCreated: taken }),
  }
}

/** Picks one of XMP's languages: the default, then English, then the first. */
function xmpText({ XMP: xmp = {} }: Texts, tag: string): string | string[] | undefined {
  const english = Object.keys(xmp).find((name) => name === `${tag}-en` || name.startsWith(`${tag}-en-`))
  const any = Object.keys(xmp).find((name) => name.startsWith(`${tag}-`))
  return [xmp[tag], english && xmp[english], any && xmp[any]].find((value) => value && normalized([value].flat().join('')) !== '')
}

/**
 * The IPTC text, uncut. Downloads carry long texts cut in IPTC and whole in XMP.
 * @param whole texts of XMP; ignored unless they begin with the IPTC text
 */
function uncut(dataset: IptcDataset, cut: string | string[] | undefined, whole: string | string[] | undefined): string[] {
  const texts = [whole ?? []].flat().map((text) => text.trim())
  const byStart = Map.groupBy(texts, (text) => cutForIptc(dataset, text))
  // Deduplicated: a file that repeats a text in both places would otherwise yield the square of their number.
  const starts = new Set([cut ?? []].flat().map((text) => text.trim()))
  return [...starts].flatMap((start) => byStart.get(start) ?? [start])
}

function first(limit: number, ...sources: (string | string[] | undefined)[]): string {
  for (const source of sources) {
    const text = cut(normalized([source ?? ''].flat().join(', ')), limit)
    if (text !== '') return text
  }
  return ''
}

function keywords(source: string | string[] | undefined): string[] {
  const words = [source ?? []].flat().map((word) => cut(normalized(word), limits.keyword))
  return [...new Set(words)].filter((word) => word !== '').slice(0, limits.keywords)
}

/** The IPTC group as ExifTool prints it, but with text as text, and keywords always as array. */
function iptcObject(group: Texts[string] | undefined): ExtractedMetadata['iptc'] {
  const object: { [tag: string]: IptcValue } = {}
  let bytes = 2
  for (const [tag, value] of Object.entries(group ?? {})) {
    const shown = integers.has(tag) ? asIntegers(value) : tag === 'Keywords' ? [value].flat() : value
    bytes += Buffer.byteLength(JSON.stringify({ [tag]: shown }))
    if (bytes <= maxIptcBytes) object[tag] = shown
  }
  return Object.keys(object).length > 0 ? object : null
}

function asIntegers(value: string | string[]): IptcValue {
  if (Array.isArray(value)) return value.flatMap(asIntegers)
  return /^\d{1,15}$/.test(value) ? Number(value) : value
}

/** Removes the padding and zero bytes of fields of fixed length, and normalises as all text of the library. */
function normalized(text: string): string {
  return text.replaceAll('\0', '').trim().normalize('NFC')
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : [...text.slice(0, limit * 2)].slice(0, limit).join('').trimEnd()
}
