import { hash } from 'node:crypto'
import type { MediaKind } from '../../vocabulary/media-kind.ts'
import type { IndexFile } from './index-file.ts'
import type { SearchDocument } from './port.ts'
import { type SearchableText, searchableText, type Values } from './searchable-text.ts'
import type { IndexedWord } from './vocabulary.ts'

/*
 * How text is in the two full-text tables. `texts` has positions: it finds phrases (by the words of a value, side by side) and substrings (by
 * the runs of three characters of a value, side by side). `terms` says only which files have a token: a posting is a byte or two instead of
 * five. It finds what needs no positions, several times faster: words, beginnings of words, single characters. Both have the kind of a file, which
 * filters what they find without a look at the file's row.
 */

/** Marks of tokens that are no words, and of tokens of the heading. Never part of a folded token. */
const GRAM = '\u00a4'
const CHARACTER = '\u00a1'
const START = '\u00a2'
const HEADING = '\u00b6'
const KIND = '\u00a7'
const SUGGESTED = '\u00ab'
/** A token that no file has. */
const NOTHING = KIND

/** Replaces the space between tokens in a gram. Never part of a token. */
const GRAM_SPACE = '\u00b7'

/** Separates the words of values, so that no phrase spans two keywords or two languages. Never part of a token. */
const VALUE_BREAK = ' \u00a6 '

/** Beginnings of words up to so many characters have tokens of their own in `terms`. Longer ones are found among the words. */
export const LONGEST_START = 3

/** The tokens of a gram. */
const GRAM_LENGTH = 3

/** A document's content in the full-text tables. */
interface IndexedText {
  kind: MediaKind
  text: SearchableText
}

export function indexedText(document: SearchDocument): IndexedText {
  return { kind: document.kind, text: searchableText(document) }
}

/** Writes a document's text at a label that has none. */
export function writeText(index: IndexFile, label: number, { kind, text }: IndexedText): void {
  const { heading, filename, description, suggested, byline, copyright } = text
  index.run(
    'INSERT INTO texts (rowid, heading, filename, description, suggested, byline, copyright) VALUES (?, ?, ?, ?, ?, ?, ?)',
    label,
    `${KIND}${kind} ${words(heading)}${grams(heading)}`,
    words(filename) + grams(filename),
    words(description),
    words(suggested),
    words(byline),
    words(copyright),
  )
  index.run('INSERT INTO terms (rowid, tokens) VALUES (?, ?)', label, `${termTokens(text)} ${KIND}${kind}`)
  for (const phrase of text.phrases) index.run('INSERT OR IGNORE INTO phrase VALUES (?)', phrase)
}

/** Removes the text at a label. */
export function deleteText(index: IndexFile, label: number): void {
  index.run('DELETE FROM texts WHERE rowid = ?', label)
  index.run('DELETE FROM terms WHERE rowid = ?', label)
}

/** Fingerprint of a text: 48 bits of SHA-1. The index doesn't store the text itself. */
export function fingerprint(text: IndexedText): number {
  return Number.parseInt(hash('sha1', JSON.stringify(text)).slice(0, 12), 16)
}

/** Full-text expressions: a term anywhere, and in the heading. */
export interface Expressions {
  anywhere: string
  heading: string
}

/** Expressions in `texts` for words side by side in a value; with `isBeginning` the last one may go on. */
export function phrase(tokens: readonly string[], isBeginning: boolean): Expressions {
  return inTexts(`"${tokens.join(' ')}"${isBeginning ? '*' : ''}`)
}

/** Expressions in `texts` for two or more characters anywhere in a value of heading or filename, and at the start of words elsewhere. */
export function substring(tokens: readonly string[]): Expressions {
  const run = characters(tokens.join(GRAM_SPACE))
  const beginning = `"${tokens.join(' ')}"*`
  if (run.length < GRAM_LENGTH) return inTexts(`("${GRAM}${run.join('')}"* OR ${beginning})`)
  const found = run.slice(GRAM_LENGTH - 1).map((_, start) => GRAM + run.slice(start, start + GRAM_LENGTH).join(''))
  return inTexts(`("${found.join(' ')}" OR ${beginning})`)
}

/** The token in `terms` of the beginning of a word, of up to LONGEST_START characters, and its expressions. */
export function startToken(start: string): { token: string; expressions: Expressions } {
  const token = START + start
  return { token, expressions: { anywhere: `"${token}"`, heading: `"${HEADING}${token}"` } }
}

/** Expressions in `terms` for all words with this beginning. */
export function listedBeginning(beginning: string): Expressions {
  return { anywhere: `"${beginning}"*`, heading: `"${HEADING}${beginning}"*` }
}

/** Expressions for any of some words in `terms` and in `texts`. */
export function anyWord(words: readonly IndexedWord[]): { listed: Expressions; positioned: Expressions } {
  const anywhere = any(words, '')
  return { listed: { anywhere, heading: any(words, HEADING) }, positioned: inTexts(anywhere) }
}

/** Share of the words' files from which a word is common. */
const COMMON = 1 / 16

/** FTS5 tests each part of an OR for each file it finds, so all rare words are one part. A NOT beside them keeps them together. */
function any(words: readonly IndexedWord[], mark: string): string {
  if (words.length === 1) return `"${mark}${words[0]!.word}"`
  const all = words.reduce((sum, { files }) => sum + files, 0)
  const { common = [], rare = [] } = Object.groupBy(words, ({ files }) => (files < COMMON * all ? 'rare' : 'common'))
  const [parts, together] = [common, rare].map((some) => some.map(({ word }) => `"${mark}${word}"`)) as [string[], string[]]
  if (together.length > 0) parts.push(`((${together.join(' OR ')}) NOT "${NOTHING}")`)
  return `(${parts.join(' OR ') || `"${NOTHING}"`})`
}

/** Expressions in `terms` for a character anywhere in heading or filename, and at the start of words elsewhere. */
export function listedCharacter(character: string): Expressions {
  return { anywhere: `("${CHARACTER}${character}" OR "${START}${character}")`, heading: `"${HEADING}${CHARACTER}${character}"` }
}

/** The expression in both tables for files of a kind. */
export function ofKind(kind: MediaKind): string {
  return `"${KIND}${kind}"`
}

/** The token in `terms` of files with a suggested phrase (searchable-text.ts). */
export function suggestedToken(phrase: string): string {
  return SUGGESTED + phrase.replaceAll(' ', GRAM_SPACE)
}

/** The phrase of such a token. */
export function phraseOf(token: string): string {
  return token.slice(SUGGESTED.length).replaceAll(GRAM_SPACE, ' ')
}

function inTexts(anywhere: string): Expressions {
  return { anywhere, heading: `{heading} : ${anywhere}` }
}

function words(values: Values): string {
  return values.map((tokens) => tokens.join(' ')).join(VALUE_BREAK)
}

/** Every run of three characters of each value, and the two characters at its end. These keep the runs of two values apart. */
function grams(values: Values): string {
  let found = ''
  for (const tokens of values) {
    const run = indexable(tokens.join(GRAM_SPACE))
    for (let start = 0; start < run.length - 1; start++) found += ` ${GRAM}${part(run, start, start + GRAM_LENGTH)}`
  }
  return found
}

/** The tokens of a document in `terms`. (A token that comes again costs nothing there.) */
function termTokens({ heading, filename, phrases, ...elsewhere }: SearchableText): string {
  let found = wordTokens(heading, HEADING) + characterTokens(heading, HEADING)
  for (const phrase of phrases) found += ` ${suggestedToken(phrase)}`
  for (const field of [heading, filename, ...Object.values(elsewhere)]) found += wordTokens(field, '')
  return found + characterTokens([...heading, ...filename], '')
}

function wordTokens(values: Values, mark: string): string {
  let found = ''
  for (const tokens of values) {
    for (const token of tokens) {
      found += ` ${mark}${token}`
      const run = indexable(token)
      const longest = Math.min(run.length, LONGEST_START)
      for (let end = 1; end <= longest; end++) found += ` ${mark}${START}${part(run, 0, end)}`
    }
  }
  return found
}

function characterTokens(values: Values, mark: string): string {
  const all = new Set<string>()
  for (const tokens of values) for (const token of tokens) for (const character of token) all.add(character)
  let found = ''
  for (const character of all) found += ` ${mark}${CHARACTER}${character}`
  return found
}

/** Characters (code points) by position. Without surrogates the text itself serves, because making an array takes longer than all else. */
function indexable(text: string): string | string[] {
  return /[\ud800-\udfff]/.test(text) ? characters(text) : text
}

function part(run: string | string[], start: number, end: number): string {
  return typeof run === 'string' ? run.slice(start, end) : run.slice(start, end).join('')
}

function characters(text: string): string[] {
  return Array.from(text)
}
