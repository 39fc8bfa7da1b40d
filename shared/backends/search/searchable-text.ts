import { tokenize } from '../../library/vocabulary/folding.ts'
import { filenameReadings } from './filename-words.ts'
import type { SearchDocument } from './port.ts'

/** At most this many characters of one field, in one language, are indexed. This bounds the cost of a hostile document. */
const MAX_FIELD_CHARACTERS = 32_768

/** Separates the values of a field, so that no phrase spans two keywords or two languages. Never part of a token (private use). */
const VALUE_BREAK = '\ue000'

/** Marks a run of three characters, and a single character, so that neither is taken for a word. Never part of a token. */
const GRAM = '\u00a4'
const CHARACTER = '\u00a1'

/** Replaces the space between tokens in a gram. Never part of a token. */
const GRAM_SPACE = '\u00b7'

/** Fields of a document as the index holds them: folded tokens separated by spaces, values by `VALUE_BREAK`. */
export interface SearchableText {
  title: string
  keywords: string
  filename: string
  description: string
  suggested: string
  byline: string
  copyright: string
}

/** Columns of the index for substrings: `label` has title and keywords, `elsewhere` fields that match by the beginnings of words only. */
export interface SubstringText {
  label: string
  filename: string
  elsewhere: string
}

/** Folds every field of a document. */
export function searchableText(document: SearchDocument): SearchableText {
  return {
    title: byLanguage(document.title),
    keywords: field(document.keywords),
    filename: field(filenameReadings(document.filename)),
    description: byLanguage(document.description),
    suggested: field(document.suggestedKeywords),
    byline: field([document.byline]),
    copyright: field([document.copyright]),
  }
}

/** The values of some fields, each without the others. */
export function valuesOf(fields: readonly string[]): string[] {
  return fields.flatMap((text) => (text === '' ? [] : text.split(` ${VALUE_BREAK} `)))
}

/** The columns of a document in the index for substrings. */
export function substringText(text: SearchableText): SubstringText {
  const elsewhere = join([text.description, text.suggested, text.byline, text.copyright])
  const initials = new Set(tokensOf(elsewhere).map(firstCharacter))
  return {
    label: grams(join([text.title, text.keywords])),
    filename: grams(text.filename),
    elsewhere: [elsewhere, ...[...initials].map((initial) => CHARACTER + initial)].join(' '),
  }
}

/**
 * A full-text expression that finds these tokens, side by side, anywhere in a value of `label` or `filename`, and at the start of words
 * in `elsewhere`.
 */
export function substringExpression(tokens: readonly string[]): string {
  const characters = gramCharacters(tokens.join(' '))
  if (characters.length === 1) return `"${CHARACTER}${characters[0]}"`
  const words = `"${tokens.join(' ')}"*`
  if (characters.length === 2) return `("${GRAM}${characters.join('')}"* OR ${words})`
  const runs = characters.slice(2).map((_, start) => GRAM + characters.slice(start, start + 3).join(''))
  return `("${runs.join(' ')}" OR ${words})`
}

/** Each language is bounded by itself, so that none keeps another one out. */
function byLanguage(texts: readonly string[]): string {
  return join(texts.map((text) => field([text])))
}

function field(values: readonly string[]): string {
  let left = MAX_FIELD_CHARACTERS
  const kept: string[] = []
  for (const value of values) {
    if (left <= 0) break
    kept.push(tokenize(value.slice(0, left)).join(' '))
    left -= value.length + 1
  }
  return join(kept)
}

function join(values: readonly string[]): string {
  return values.filter((value) => value !== '').join(` ${VALUE_BREAK} `)
}

function tokensOf(text: string): string[] {
  return text.split(' ').filter((token) => token !== '' && token !== VALUE_BREAK)
}

/** Every run of three characters of each value, the shorter ones at its end too, then every character that occurs. */
function grams(text: string): string {
  const found: string[] = []
  const seen = new Set<string>()
  for (const value of text.split(` ${VALUE_BREAK} `)) {
    const characters = gramCharacters(value)
    for (let start = 0; start < characters.length; start++) {
      const first = characters[start] ?? ''
      found.push(GRAM + first + (characters[start + 1] ?? '') + (characters[start + 2] ?? ''))
      if (first !== GRAM_SPACE) seen.add(first)
    }
  }
  for (const character of seen) found.push(CHARACTER + character)
  return found.join(' ')
}

function gramCharacters(text: string): string[] {
  return Array.from(text.replaceAll(' ', GRAM_SPACE))
}

function firstCharacter(token: string): string {
  return String.fromCodePoint(token.codePointAt(0) ?? 0)
}
