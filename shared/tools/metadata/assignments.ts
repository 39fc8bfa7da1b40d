import type { Assignment } from './assignment.ts'
import type { WrittenFields } from './fields.ts'
import { cutForIptc, type IptcDataset } from './iptc-limits.ts'
import { isContainer, isPresent, isTextOf, type PresentTags } from './present.ts'
import { imported, siblings } from './siblings.ts'

/**
 * The tags into which fields are written.
 *
 * XMP has no limit of length, so what IPTC can't hold whole is in XMP, too. What the file says of the same elsewhere is kept in step: most programs
 * show it rather than IPTC's. So does an import, which would bring the old text back. Phones don't read IPTC: what they made has all in XMP, too.
 * @param present what the file says so far
 */
export function assignments(fields: WrittenFields, present: PresentTags): Assignment[] {
  const { title, copyright, description, keywords } = fields
  const all = [
    ...(title === undefined ? [] : inXmp('XMP-dc:Title', title, present)),
    ...(copyright === undefined ? [] : [one('IFD0:Copyright', copyright), ...iptcAndXmp('CopyrightNotice', 'Rights', copyright, present)]),
    ...(description === undefined ? [] : describe(description, present)),
    ...(keywords === undefined
      ? []
      : [
          { tag: 'IPTC:Keywords', values: cutKeywords(keywords) },
          { tag: 'XMP-dc:Subject', values: keywords },
        ]),
    ...siblings(fields, present),
    ...(isUntitled(title, present) && hasCaption(description, present) ? [{ tag: 'XMP-photoshop:Headline', values: [''] }] : []),
  ]
  return [...new Map(all.map((assignment) => [assignment.tag, assignment])).values()]
}

/** Whether there is no title: emptied, or never said. Beside a caption an empty headline tells an import that. */
function isUntitled(title: string | undefined, present: PresentTags): boolean {
  return title === undefined ? imported('title', present).length === 0 : title === ''
}

/** Whether the copy has a caption, which an import takes for the title where there is none. */
function hasCaption(description: string | undefined, present: PresentTags): boolean {
  return description === undefined ? isPresent('IPTC:Caption-Abstract', present) : description !== ''
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
  const isInXmp = cut !== value || isContainer(present) || [...present.keys()].some((name) => isTextOf(tag, name))
  return [one(`IPTC:${iptc}`, cut), ...(isInXmp ? inXmp(tag, value, present) : [])]
}

/** The library's text is the default, and the English one where the file has that. Texts in other languages stay, until there is none any more. */
function inXmp(tag: string, value: string, present: PresentTags): Assignment[] {
  const english = [...present.keys()].filter((name) => name === `${tag}-en` || name.startsWith(`${tag}-en-`))
  return value === '' ? [one(tag, value)] : [tag, ...english].map((name) => one(name, value))
}

function cutKeywords(keywords: readonly string[]): string[] {
  return [...new Set(keywords.map((word) => cutForIptc('Keywords', word)))]
}

function one(tag: string, value: string): Assignment {
  return { tag, values: value === '' ? [] : [value] }
}
