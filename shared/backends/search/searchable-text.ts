import { filenameKey } from '../../vocabulary/filename-key.ts'
import { INVISIBLE } from '../../vocabulary/folding.ts'
import { tokensOfReadings } from '../../vocabulary/spelling.ts'
import type { SearchDocument } from './port.ts'

/** At most this many characters of one field, in one language, are indexed. This bounds the cost of a hostile document. */
const MAX_FIELD_CHARACTERS = 32_768

/** The values of a field, each as its folded tokens. Values without tokens are left out. */
export type Values = readonly (readonly string[])[]

/**
 * The searchable fields of a document, each value in all its readings (vocabulary/spelling.ts). `heading` is title and keywords: files with a term
 * there come first.
 */
export interface SearchableText {
  heading: Values
  filename: Values
  description: Values
  suggested: Values
  byline: Values
  copyright: Values
  /** Suggested phrases: each keyword as a whole, and each word of the title. Tokens are separated by a space. No phrase comes twice. */
  phrases: readonly string[]
}

/** Longer keywords are sentences, which are not suggested. */
const MAX_PHRASE_CHARACTERS = 80

/** Folds every field of a document. */
export function searchableText(document: SearchDocument): SearchableText {
  const [title, keywords] = [byLanguage(document.title), field(document.keywords)]
  return {
    heading: [...title, ...keywords],
    filename: field(filenameReadings(document.filename)),
    description: byLanguage(document.description),
    suggested: field(document.suggestedKeywords),
    byline: field([document.byline]),
    copyright: field([document.copyright]),
    phrases: phrasesOf(title, keywords),
  }
}

function phrasesOf(title: Values, keywords: Values): string[] {
  const whole = keywords.map((tokens) => tokens.join(' ')).filter(({ length }) => length <= MAX_PHRASE_CHARACTERS)
  return [...new Set([...whole, ...title.flat()])]
}

/** Each language has its own limit. */
function byLanguage(texts: readonly string[]): Values {
  return texts.flatMap((text) => field([text]))
}

function field(values: readonly string[]): Values {
  let left = MAX_FIELD_CHARACTERS
  const kept: string[][] = []
  for (const value of values) {
    if (left <= 0) break
    const found = tokensOfReadings(left < value.length ? value.slice(0, left) : value)
    kept.push(...found.filter((tokens) => tokens.length > 0))
    left -= value.length + 1
  }
  return kept
}

/** Bylines with the same first characters, up to this number, have the same key. */
const MAX_BYLINE_CHARACTERS = 255

/** The sort key of a byline, folded like filenames; empty without a byline. */
export function bylineKey(byline: string): string {
  return Array.from(filenameKey(byline.trim()).slice(0, 2 * MAX_BYLINE_CHARACTERS))
    .slice(0, MAX_BYLINE_CHARACTERS)
    .join('')
}

/** Boundaries between words without a separator: `myPhoto`, `HTMLFile`, `IMG1234`, `2024trip`. */
const SEAMS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}\p{M}*)(?=\p{N})|(?<=\p{N})(?=\p{L})/gu

/**
 * The searchable forms of a filename: the name itself and, where that gives more words, the name split at changes of case and between
 * letters and digits. (`_`, `-`, `.` separate words anyway.) `IMG1234-myPhoto.jpg` → itself and `IMG 1234-my Photo.jpg`.
 */
export function filenameReadings(filename: string): string[] {
  const visible = filename.replace(INVISIBLE, '')
  const apart = visible.replace(SEAMS, ' ')
  return apart === visible ? [visible] : [visible, apart]
}
