/** The tags of one text. */
export interface TextTags {
  /** Tags that the library writes. */
  written: readonly string[]
  /** Tags of other programs that only ever contain this text. */
  always: readonly string[]
  /** Tags that may contain something else: a headline, a note, the program that made the file. */
  same: readonly string[]
  /** Tags that an import reads, in its order. */
  imported: readonly string[]
}

/** Windows' subject: the title if it is equal to it, else a description. */
export const SUBJECT = 'IFD0:XPSubject'

/**
 * Windows (`XP…`), ACDSee, digiKam and others write the same text to their own fields, to those of EXIF 3, TIFF and PDF in XMP, and to
 * PNG's texts. Photoshop's Save for Web writes it to its own segment (Ducky).
 */
export const TEXTS = {
  title: {
    written: ['XMP-dc:Title'],
    always: [
      ...['IPTC:ObjectName', 'IFD0:XPTitle', 'ExifIFD:ImageTitle', 'XMP-exifEX:ImageTitle', 'XMP-acdsee:Caption'],
      ...['XMP-pdf:Title', 'XMP-xmp:Title', 'PNG:Title'],
    ],
    same: ['IPTC:Headline', 'XMP-photoshop:Headline', SUBJECT],
    imported: ['XMP-dc:Title', 'IPTC:Headline', 'IPTC:ObjectName', 'IPTC:Caption-Abstract'],
  },
  description: {
    written: ['XMP-dc:Description', 'IFD0:ImageDescription', 'IPTC:Caption-Abstract'],
    always: [
      ...['IFD0:XPComment', SUBJECT, 'XMP-tiff:ImageDescription', 'XMP-acdsee:Notes', 'XMP-album:Notes'],
      ...['XMP-xmp:Description', 'PNG:Description', 'Ducky:Comment'],
    ],
    same: ['IFD1:ImageDescription', 'ExifIFD:UserComment', 'XMP-exif:UserComment', 'XMP-pdf:Subject', 'File:Comment', 'PNG:Comment'],
    imported: ['XMP-dc:Description', 'IFD0:ImageDescription', 'IFD1:ImageDescription', 'IPTC:Caption-Abstract'],
  },
  copyright: {
    written: ['IFD0:Copyright', 'IPTC:CopyrightNotice', 'XMP-dc:Rights'],
    always: ['XMP-tiff:Copyright', 'XMP-pdf:Copyright', 'PNG:Copyright', 'Ducky:Copyright'],
    same: ['IFD1:Copyright'],
    imported: ['XMP-dc:Rights', 'IPTC:CopyrightNotice'],
  },
} satisfies { [field: string]: TextTags }

/** Lists of all keywords, some with paths: Windows, Lightroom, ACDSee. */
export const KEYWORD_LISTS: readonly string[] = [
  'XMP-microsoft:LastKeywordXMP',
  'XMP-microsoft:LastKeywordIPTC',
  'XMP-lr:WeightedFlatSubject',
  'XMP-acdsee:Keywords',
  'XMP-prism:Keyword',
]

/** Texts with all keywords, and their separators. */
export const KEYWORD_TEXTS: ReadonlyMap<string, string> = new Map([
  ['IFD0:XPKeywords', ';'],
  ['XMP-pdf:Keywords', ', '],
  ['XMP-xmp:Keywords', ', '],
])

/** Lists of paths in keyword trees, and their separators: Lightroom, digiKam, Media Pro. */
export const KEYWORD_PATHS: ReadonlyMap<string, string> = new Map([
  ['XMP-lr:HierarchicalSubject', '|'],
  ['XMP-digiKam:TagsList', '/'],
  ['XMP-mediapro:CatalogSets', '|'],
  ['XMP-expressionmedia:CatalogSets', '|'],
])

/** Groups with keyword trees as XMP structures (Metadata Working Group, IDimager). */
export const KEYWORD_TREES = ['XMP-mwg-kw', 'XMP-ics']

/** Names of persons; two of them in regions of faces (Metadata Working Group, Windows). */
export const PERSON_NAMES: readonly string[] = ['XMP-iptcExt:PersonInImage', 'XMP-mwg-rs:RegionName', 'XMP-MP:RegionPersonDisplayName']

/** ACDSee's keyword tree: XML in a text. */
export const CATEGORIES = 'XMP-acdsee:Categories'

/** All tags of other programs that an edit changes if the file has them. */
export const siblingTags: readonly string[] = [
  ...Object.values(TEXTS).flatMap(({ always, same }) => [...always, ...same]),
  ...KEYWORD_LISTS,
  ...KEYWORD_TEXTS.keys(),
  ...KEYWORD_PATHS.keys(),
  ...KEYWORD_TREES.map((group) => `${group}:all`),
  ...PERSON_NAMES,
  CATEGORIES,
]
