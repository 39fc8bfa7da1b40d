import type { FolderSet } from './folder-sets.ts'
import type { IndexFile } from './index-file.ts'
import type { Condition } from './sql.ts'

/**
 * Up to so many pointers, listing the files of folders costs less than testing the folders of each match. Queries with terms usually have few
 * matches; without terms all files match.
 */
const FEW_POINTERS = { withTerms: 5_000, withoutTerms: 50_000 } as const

/**
 * How a query is restricted to folders. `everything` and `nothing` test no file. Otherwise `condition` tests a label. `list` yields the labels
 * where they are few: a query without terms walks these.
 */
export type Scope = 'everything' | 'nothing' | PlannedScope

export interface PlannedScope {
  condition(label: string): Condition
  list?: Condition
}

/** Which folders a file must be in: at least one of these, or at least one other. */
export interface ScopeSet {
  set: FolderSet
  isOnly: boolean
}

/**
 * Plans a folder scope by the number of files in the folders. Where few are excluded (the usual case: trashcans) it leaves out a small set;
 * where few are included it chooses from a small set.
 * @param query whether the query has terms, so that the scope is tested for few files
 */
export function planScope(index: IndexFile, { set, isOnly }: ScopeSet, query: keyof typeof FEW_POINTERS): Scope {
  const few = FEW_POINTERS[query]
  const all = index.value('SELECT pointers FROM state')
  const allowed = isOnly ? set.holds.pointers : all - set.holds.pointers
  if (allowed === 0) return 'nothing'
  if (allowed === all) return 'everything'
  const [isAllowed, isForbidden] = isOnly ? (['IN', 'NOT IN'] as const) : (['NOT IN', 'IN'] as const)
  if (all - allowed <= Math.min(allowed, few)) return { condition: leftOut(isForbidden, isAllowed, set) }
  const list = {
    sql: `SELECT label FROM placement WHERE folder IN (SELECT id FROM folder WHERE id ${isAllowed} ${set.sql})`,
    values: set.values,
  }
  if (allowed <= few) return { list, condition: (label) => ({ sql: `+${label} IN (${list.sql})`, values: list.values }) }
  return { list, condition: (label) => inScope({ set, isOnly }, label) }
}

/** One of the file's own pointers is in an allowed folder. */
export function inScope({ set, isOnly }: ScopeSet, label: string): Condition {
  return {
    sql: `EXISTS (SELECT 1 FROM placement p WHERE p.label = ${label} AND +p.folder ${isOnly ? 'IN' : 'NOT IN'} ${set.sql})`,
    values: set.values,
  }
}

/** Not among the files that have pointers in forbidden folders only. */
function leftOut(isForbidden: string, isAllowed: string, { sql, values }: FolderSet): (label: string) => Condition {
  const files = `SELECT p.label FROM placement p WHERE p.folder IN (SELECT id FROM folder WHERE id ${isForbidden} ${sql})
    AND NOT EXISTS (SELECT 1 FROM placement o WHERE o.label = p.label AND +o.folder ${isAllowed} ${sql})`
  return (label) => ({ sql: `+${label} NOT IN (${files})`, values: [...values, ...values] })
}
