import type { Assignment } from './assignment.ts'
import type { WrittenFields } from './fields.ts'
import { cutForIptc, type IptcDataset } from './iptc-limits.ts'
import { isContainer, isPresent, isTextOf, type PresentTags } from './present.ts'
import { imported, siblings } from './siblings.ts'

/**
 * The tags that fields are written to.
 *
 * XMP has no length limit, so texts that are cut in IPTC are also written to XMP. Other tags with the same text are updated, too: most
 * programs prefer them to IPTC, and so does an import, which would restore the old text. Phones don't read IPTC, so files made by phones
 * get all fields in XMP.
 * @param present the file's current values
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

/** Whether there is no title: removed, or never set. An empty headline beside a caption tells an import that there is none. */
function isUntitled(title: string | undefined, present: PresentTags): boolean {
  return title === undefined ? imported('title', present).length === 0 : title === ''
}

/** Whether the copy has a caption, which an import takes for a missing title. */
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

/**
 * The library's text replaces the default, and the English one if the file has it. Texts in other languages stay, unless the text is
 * removed.
 */
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
