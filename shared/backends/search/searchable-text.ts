import { tokensOfReadings } from '../../vocabulary/spelling.ts'
import { filenameReadings } from './filename-words.ts'
import type { SearchDocument } from './port.ts'

/** At most this many characters of one field, in one language, are indexed. This bounds the cost of a hostile document. */
const MAX_FIELD_CHARACTERS = 32_768

/** The values of a field, each as its folded tokens. Values without tokens are left out. */
export type Values = readonly (readonly string[])[]

/** Fields of a document as they are searched, each value in all its readings (vocabulary/spelling.ts). `heading` is title and keywords: a file that has a term there comes first. */
export interface SearchableText {
  heading: Values
  filename: Values
  description: Values
  suggested: Values
  byline: Values
  copyright: Values
}

/** Folds every field of a document. */
export function searchableText(document: SearchDocument): SearchableText {
  return {
    heading: [...byLanguage(document.title), ...field(document.keywords)],
    filename: field(filenameReadings(document.filename)),
    description: byLanguage(document.description),
    suggested: field(document.suggestedKeywords),
    byline: field([document.byline]),
    copyright: field([document.copyright]),
  }
}

/** Each language is bounded by itself, so that none keeps another one out. */
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
