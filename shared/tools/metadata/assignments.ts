import type { WrittenFields } from './fields.ts'
import { cutForIptc, type IptcDataset } from './iptc-limits.ts'
import type { PresentTags } from './present.ts'

/** The wanted value of one of ExifTool's tags; none removes the tag. */
export interface Assignment {
  tag: string
  values: readonly string[]
}

/**
 * The tags into which fields are written.
 *
 * XMP has no limit of length, so what IPTC can't hold whole is in XMP, too. A description or copyright that the file has in XMP, or a description
 * that it has in EXIF, is kept in step: most programs show it rather than IPTC's. So does an import, which would bring the old text back.
 * @param present what the file says so far
 */
export function assignments(fields: WrittenFields, present: PresentTags): Assignment[] {
  const { title, copyright, description, keywords } = fields
  return [
    ...(title === undefined ? [] : inXmp('XMP-dc:Title', title, present)),
    ...(copyright === undefined ? [] : [one('IFD0:Copyright', copyright), ...iptcAndXmp('CopyrightNotice', 'Rights', copyright, present)]),
    ...(description === undefined ? [] : describe(description, present)),
    ...(keywords === undefined
      ? []
      : [
          { tag: 'IPTC:Keywords', values: cutKeywords(keywords) },
          { tag: 'XMP-dc:Subject', values: keywords },
        ]),
  ]
}

function describe(description: string, present: PresentTags): Assignment[] {
  const inExif = present.has('IFD0:ImageDescription')
  return [
    ...iptcAndXmp('Caption-Abstract', 'Description', description, present),
    ...(inExif ? [one('IFD0:ImageDescription', description)] : []),
  ]
}

function iptcAndXmp(iptc: IptcDataset, xmp: string, value: string, present: PresentTags): Assignment[] {
  const cut = cutForIptc(iptc, value)
  const tag = `XMP-dc:${xmp}`
  const isInXmp = cut !== value || [...present.keys()].some((name) => isTextOf(tag, name))
  return [one(`IPTC:${iptc}`, cut), ...(isInXmp ? inXmp(tag, value, present) : [])]
}

/** The library's text is the default, and the English one where the file has that. Texts in other languages stay, until there is none any more. */
function inXmp(tag: string, value: string, present: PresentTags): Assignment[] {
  const english = [...present.keys()].filter((name) => name === `${tag}-en` || name.startsWith(`${tag}-en-`))
  return value === '' ? [one(tag, value)] : [tag, ...english].map((name) => one(name, value))
}

/** Whether a name is a tag's, in whatever language. */
export function isTextOf(tag: string, name: string): boolean {
  return name === tag || name.startsWith(`${tag}-`)
}

function cutKeywords(keywords: readonly string[]): string[] {
  return [...new Set(keywords.map((word) => cutForIptc('Keywords', word)))]
}

function one(tag: string, value: string): Assignment {
  return { tag, values: value === '' ? [] : [value] }
}
