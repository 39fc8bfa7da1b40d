import { folderSetsOf } from './folder-sets.ts'
import type { IndexFile } from './index-file.ts'
import { phraseOf, suggestedToken } from './index-text.ts'
import { type Near, nearest } from './near.ts'
import type { Suggestion, SuggestQuery } from './port.ts'
import { planScope, type Scope } from './scope.ts'
import type { Condition } from './sql.ts'
import { filesWithToken } from './vocabulary.ts'

/** Most phrases whose files are looked at. */
const MOST_TRIED = 1_000

/** Postings of phrases that no file in the scope has: reading so many takes about 20 ms. Then the search for more ends. */
const MOST_IN_VAIN = 60_000

/** Phrases equally near that are compared by the number of their files. */
const MOST_COMPARED = 30

/** A phrase with the number of files that have it, in the scope or not. */
interface Counted {
  phrase: string
  files: number
}

/** What files in the scope have of a query's phrases. */
export function suggest(index: IndexFile, { phrases, matching, scope, limit }: SuggestQuery): Suggestion[] {
  const listed = 'only' in scope ? scope.only : scope.except
  const set = folderSetsOf(index).of([listed]).get(listed)!
  return index.reading(() => {
    const plan = planScope(index, { set, isOnly: 'only' in scope }, 'withTerms')
    if (plan === 'nothing') return []
    const inOrder = matching === 'beginning' ? beginningWith(index, phrases) : near(index, phrases)
    return inScope(index, inOrder, plan, limit)
  })
}

/** The most used first. */
function beginningWith(index: IndexFile, beginnings: readonly string[]): Counted[] {
  const found = new Map<string, number>()
  for (const beginning of beginnings) {
    const token = suggestedToken(beginning)
    const rows = index.rows<[string, number]>(
      `SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT ${MOST_TRIED}`,
      token,
      `${token}\u{10ffff}`,
    )
    for (const [term, files] of rows) found.set(phraseOf(term), files)
  }
  return mostUsedFirst(Array.from(found, ([phrase, files]) => ({ phrase, files })))
}

/** The nearest first, of these the most used. */
function* near(index: IndexFile, phrases: readonly string[]): Generator<Counted> {
  const byDistance = Map.groupBy(allNear(index, phrases), ({ distance }) => distance)
  for (const distance of [...byDistance.keys()].sort()) {
    const some = byDistance.get(distance)!.slice(0, MOST_COMPARED)
    yield* mostUsedFirst(some.map(({ phrase }) => ({ phrase, files: filesWithToken(index, suggestedToken(phrase)) })))
  }
}

function allNear(index: IndexFile, phrases: readonly string[]): Near[] {
  return phrases.flatMap((wanted) => {
    const { length, parts } = nearest.needs(wanted)
    const isAny = parts.map(() => 'instr(text, ?) > 0').join(' OR ')
    const rows = index.rows<[string]>(`SELECT text FROM phrase WHERE length(text) BETWEEN ? AND ? AND (${isAny})`, ...length, ...parts)
    return nearest.of(
      wanted,
      rows.map(([text]) => text),
    )
  })
}

function mostUsedFirst(phrases: Counted[]): Counted[] {
  return phrases.sort((a, b) => b.files - a.files || (a.phrase < b.phrase ? -1 : 1))
}

/** Those that a file in the scope has, with the newest of these. */
function inScope(index: IndexFile, phrases: Iterable<Counted>, plan: Exclude<Scope, 'nothing'>, limit: number): Suggestion[] {
  const condition: Condition = plan === 'everything' ? { sql: 'TRUE', values: [] } : plan.condition('terms.rowid')
  const sql = `SELECT d.media_id FROM terms CROSS JOIN doc d ON d.label = terms.rowid WHERE terms MATCH ? AND ${condition.sql}
    ORDER BY terms.rowid DESC LIMIT 1`
  const found: Suggestion[] = []
  let inVain = 0
  for (const { phrase, files } of phrases) {
    if (found.length === limit || inVain > MOST_IN_VAIN) break
    const row = index.row<[number]>(sql, `"${suggestedToken(phrase)}"`, ...condition.values)
    if (row) found.push({ phrase, mediaId: row[0] })
    else inVain += files
  }
  return found
}
