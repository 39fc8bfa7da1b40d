import type { Term } from '../../vocabulary/term.ts'
import type { FolderSet } from './folder-sets.ts'
import type { IndexFile } from './index-file.ts'
import { type Match, matchOf } from './match.ts'
import type { Condition } from './sql.ts'

/** The terms of a query, by their lookup. */
export interface Terms {
  /** Every one of them must match. */
  required: Match[]
  /** One of the expressions, or of the labels listed beside it, must match. */
  either: { match: Match; or: Condition }[]
  /** None of these may match. */
  excluded: Match[]
  /** None of these labels. */
  excludedLabels: Condition[]
}

/**
 * Plans each term and its alternatives. Terms without letters, digits or symbols are left out.
 * @param sets of the terms' folders, by their lists
 */
export function sortTerms(index: IndexFile, all: readonly Term[], sets: ReadonlyMap<readonly number[], FolderSet>): Terms {
  const terms: Terms = { required: [], either: [], excluded: [], excludedLabels: [] }
  const seen = new Set<string>()
  for (const term of all) {
    const match = matchOf(index, term)
    if (!match) continue
    const set = term.folders && sets.get(term.folders)
    const or = alternatives(index, term, set)
    const identity = JSON.stringify([term.excluded, match.listed, match.positioned, or])
    if (seen.has(identity)) continue
    seen.add(identity)
    if (term.excluded) {
      terms.excluded.push(match)
      if (or) terms.excludedLabels.push(or)
    } else if (or) terms.either.push({ match, or })
    else terms.required.push(match)
  }
  return terms
}

/** Lists the labels of the files in the term's folders and of the file with its id. Usually a number is no id, and a word no folder's tag. */
function alternatives(index: IndexFile, { mediaId }: Term, set: FolderSet | undefined): Condition | undefined {
  const lists: Condition[] = []
  if (set && set.holds.pointers > 0) lists.push({ sql: `SELECT label FROM placement WHERE folder IN ${set.sql}`, values: set.values })
  if (mediaId !== undefined && index.row('SELECT 1 FROM doc WHERE media_id = ?', mediaId)) {
    lists.push({ sql: 'SELECT label FROM doc WHERE media_id = ?', values: [mediaId] })
  }
  if (lists.length === 0) return undefined
  return { sql: lists.map(({ sql }) => sql).join(' UNION ALL '), values: lists.flatMap(({ values }) => values) }
}
