import type { Types } from '@opensearch-project/opensearch'
import { type Term, termReadings } from '../../../vocabulary/term.ts'

/** A condition of OpenSearch's query language. */
export type Clause = Types.Common_QueryDsl.QueryContainer

/** Most values of one `terms` clause. More are divided among several. */
const MOST_VALUES = 65_536

/** All words of the index that begin like the last one of a phrase: OpenSearch takes 50 unless told otherwise, and totals would be too small. */
const EVERY_WORD = 2 ** 31 - 1

/** The fields in which a term must be: any, or title or keywords. */
export type Fields = 'anywhere' | 'heading'

/** At least one of these holds: nothing does where there are none. */
export function anyOf(clauses: Clause[]): Clause {
  if (clauses.length === 0) return { match_none: {} }
  return clauses.length === 1 ? clauses[0]! : { bool: { should: clauses, minimum_should_match: 1 } }
}

/** Clauses of which at least one holds where a field has one of the values. */
export function oneOf(field: string, values: readonly (string | number)[]): Clause[] {
  const clauses: Clause[] = []
  for (let start = 0; start < values.length; start += MOST_VALUES) {
    clauses.push({ terms: { [field]: values.slice(start, start + MOST_VALUES) } })
  }
  return clauses
}

/** A term with its alternatives: folders that have it as tag, and the file with its id. None for one without letters, digits or symbols. */
export function termClause(term: Term, fields: Fields): Clause | undefined {
  const readings = termReadings(term)
  if (readings.length === 0) return undefined
  const { folders = [], mediaId } = term
  return anyOf([
    ...readings.flatMap((tokens) => textClauses(tokens, term.matching, fields)),
    ...oneOf('folders', folders),
    ...(mediaId === undefined ? [] : [{ term: { mediaId } }]),
  ])
}

function textClauses(tokens: readonly string[], matching: Term['matching'], fields: Fields): Clause[] {
  const words = fields === 'anywhere' ? 'words' : 'heading'
  if (matching !== 'infix') return [phrase(words, tokens, matching)]
  const inHeading = substring('heading.grams', 'heading.short', tokens)
  return fields === 'heading'
    ? [inHeading]
    : [inHeading, substring('filename', 'filename.short', tokens), phrase('words', tokens, 'prefix')]
}

function phrase(field: string, tokens: readonly string[], matching: 'prefix' | 'word'): Clause {
  const query = tokens.join(' ')
  if (matching === 'word') return { match_phrase: { [field]: query } }
  return tokens.length === 1 ? { prefix: { [field]: query } } : { match_phrase_prefix: { [field]: { query, max_expansions: EVERY_WORD } } }
}

/** @param grams field of runs of three characters @param short that of one and two */
function substring(grams: string, short: string, tokens: readonly string[]): Clause {
  const text = tokens.join(' ')
  return Array.from(text).length < 3 ? { term: { [short]: text } } : { match_phrase: { [grams]: text } }
}
