import type { MediaKind } from '../../vocabulary/media-kind.ts'
import { type Matching, type Term, termReadings } from '../../vocabulary/term.ts'
import type { IndexFile } from './index-file.ts'
import {
  anyWord,
  type Expressions,
  LONGEST_START,
  listedBeginning,
  listedCharacter,
  ofKind,
  phrase,
  startToken,
  substring,
} from './index-text.ts'
import { filesWithToken, type IndexedWord, indexedWord, wordsBeginningWith } from './vocabulary.ts'

/** The full-text tables (index-text.ts). */
export type FullText = 'terms' | 'texts'

/**
 * A term as full-text expressions, of one or both tables (index-text.ts). No input can break out of them: between the quotes are only tokens,
 * which contain neither quotes nor operators.
 */
export interface Match {
  /** In `terms`: for a single word, beginning or character. */
  listed?: Expressions
  /** In `texts`: for all but a single character. */
  positioned?: Expressions
  /** In `texts`: the expression that ranks; defaults to `positioned`. */
  ranking?: string
  /** All matching words, where they are few. */
  words?: readonly IndexedWord[]
  /** The one matching token of `terms`, where the words are unknown. */
  token?: string
  /** Whether `texts` would read the postings of very many words. */
  isShort: boolean
  /** The table that finds it faster. */
  faster: FullText
}

/** The expressions of a term in an index; none for a term without letters, digits or symbols, which is ignored. */
export function matchOf(index: IndexFile, { words, matching }: Pick<Term, 'words' | 'matching'>): Match | undefined {
  const [asFolded, ...others] = termReadings({ words, matching }).map((tokens) => matchOfTokens(index, tokens, matching))
  if (!asFolded) return undefined
  return others.filter((match) => !isNowhere(index, match)).reduce(either, asFolded)
}

function matchOfTokens(index: IndexFile, tokens: readonly string[], matching: Matching): Match {
  const token = tokens[0]!
  const isSingle = tokens.length === 1
  const length = Array.from(token).length
  if (matching === 'infix') {
    if (isSingle && length === 1) return { listed: listedCharacter(token), isShort: true, faster: 'terms' }
    return { positioned: substring(tokens), isShort: false, faster: 'texts' }
  }
  const isBeginning = matching === 'prefix'
  const positioned = phrase(tokens, isBeginning)
  if (!isSingle) return { positioned, isShort: false, faster: 'texts' }
  if (!isBeginning) return matchOfWords([indexedWord(index, token)])
  if (length <= LONGEST_START) {
    const start = startToken(token)
    return { listed: start.expressions, positioned, token: start.token, isShort: true, faster: 'terms' }
  }
  const words = wordsBeginningWith(index, token)
  // Several words have weights of their own, by which the rarest would rank first.
  if (words) return { ...matchOfWords(words), ...(words.length > 1 && { ranking: positioned.anywhere }) }
  // FTS5 puts the files of very many words together three times as fast where it has positions.
  return { listed: listedBeginning(token), positioned, isShort: false, faster: 'texts' }
}

function matchOfWords(words: readonly IndexedWord[]): Match {
  return { ...anyWord(words), words, isShort: false, faster: 'terms' }
}

/** Whether it is known without a query that no file matches. */
function isNowhere(index: IndexFile, { token, words }: Match): boolean {
  if (token !== undefined) return filesWithToken(index, token) === 0
  return words?.every(({ files }) => files === 0) ?? false
}

/** The match of all files that one of two finds. Both have expressions of the same table, because they are readings of one term. */
function either(one: Match, other: Match): Match {
  const ranking = [one, other].flatMap(({ ranking, positioned }) => ranking ?? positioned?.anywhere ?? []).join(' OR ')
  if (one.words && other.words) return { ...matchOfWords([...one.words, ...other.words]), ranking }
  const listed = one.listed && other.listed && anyOf(one.listed, other.listed)
  const positioned = one.positioned && other.positioned && anyOf(one.positioned, other.positioned)
  const isShort = one.isShort || other.isShort
  return { ...(listed && { listed }), ...(positioned && { positioned }), ranking, isShort, faster: listed ? 'terms' : 'texts' }
}

function anyOf(one: Expressions, other: Expressions): Expressions {
  return { anywhere: `((${one.anywhere}) OR (${other.anywhere}))`, heading: `((${one.heading}) OR (${other.heading}))` }
}

/** The match of all files of these kinds. */
export function matchOfKinds(kinds: readonly MediaKind[]): Match {
  const any = kinds.map(ofKind).join(' OR ')
  const expressions = { anywhere: any, heading: any }
  return { listed: expressions, positioned: expressions, isShort: false, faster: 'terms' }
}

/** The number of files of a match alone, where it is known without reading each. */
export function filesOf(index: IndexFile, { token, words }: Match): number | undefined {
  if (token !== undefined) return filesWithToken(index, token)
  if (!words) return undefined
  const [most, ...others] = words.toSorted((a, b) => b.files - a.files)
  if (!most || others.length === 0) return most?.files ?? 0
  const rest = `${anyWord(others).listed.anywhere} NOT "${most.word}"`
  return most.files + index.value('SELECT count(*) FROM terms WHERE terms MATCH ?', rest)
}
