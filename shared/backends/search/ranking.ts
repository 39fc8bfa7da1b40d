import type { IndexFile } from './index-file.ts'
import type { Match } from './match.ts'
import type { SearchQuery } from './port.ts'
import type { Terms } from './terms.ts'

/** Weights of the columns: title and keywords, filename, description, suggested keywords, byline, copyright. */
const BM25 = 'bm25(texts, 10, 4, 3, 2, 2, 1)'

/** A term in at least this part of all files is common. BM25 would read all of its files several times, and learn little. */
const COMMON = 1 / 8

/** What BM25 gives for a word in title or keywords more than for one elsewhere, about, as a part of the word's weight. */
const HEADING = 0.5

/** How files are ranked: by BM25 of an expression in `texts`, and by what else they have in the heading, by expressions in `terms`. */
interface Ranking {
  expression: string
  headings: { expression: string; weight: number }[]
}

/**
 * By what the files are ranked that have all terms. Short beginnings count only where there is nothing else, because they are parts of very many
 * words; common terms only by whether they are in the heading, where there are others.
 * @returns undefined where nothing can rank
 */
export function rankingOf(index: IndexFile, { required }: Terms): Ranking | undefined {
  const all = index.value('SELECT files FROM state')
  const long = required.filter(({ isShort }) => !isShort)
  const rare = long.filter((match) => mostFiles(match) < COMMON * all)
  const ranking = rare.length > 0 ? rare : long.length > 0 ? long : required.length === 1 ? required : []
  const expression = ranking.flatMap(({ ranking, positioned }) => ranking ?? positioned?.anywhere ?? []).join(' AND ')
  if (!expression) return undefined
  const among = ranking.flatMap(({ listed }) => listed?.anywhere ?? [])
  const headings = long
    .filter((match) => !ranking.includes(match))
    .map((match) => ({ expression: [match.listed!.heading, ...among].join(' AND '), weight: HEADING * rarity(mostFiles(match), all) }))
  return { expression, headings }
}

/** The weight of a word, as BM25 has it, but never negative. */
const rarity = (files: number, all: number): number => Math.log(1 + (all - files + 0.5) / (files + 0.5))

/** The labels of a page of some files, the best first. */
export function ranked(index: IndexFile, { expression, headings }: Ranking, labels: readonly number[], query: SearchQuery): number[] {
  const { direction, limit, offset } = query
  const bonus = headings.map(() => ' - ? * (texts.rowid IN (SELECT rowid FROM terms WHERE terms MATCH ?))').join('')
  const order = direction === 'desc' ? `${BM25}${bonus}, texts.rowid DESC` : `${BM25}${bonus} DESC, texts.rowid`
  const sql = `SELECT texts.rowid FROM texts WHERE texts MATCH ? AND +texts.rowid IN (SELECT value FROM json_each(?)) ORDER BY ${order} LIMIT ? OFFSET ?`
  const weights = headings.flatMap((heading) => [heading.weight, heading.expression])
  return index.rows<[number]>(sql, expression, JSON.stringify(labels), ...weights, limit, offset).map(([label]) => label)
}

/** In how many files a term is, at most; 0 where that isn't known. */
function mostFiles({ words }: Match): number {
  return words?.reduce((sum, { files }) => sum + files, 0) ?? 0
}
