import type { IndexFile } from './index-file.ts'
import type { FolderScope } from './port.ts'
import type { Condition } from './sql.ts'

/** Up to so many pointers, looking up their files once costs less than looking up the folders of every match. */
const FEW_POINTERS = 20_000

/**
 * How a query keeps to the folders it may see: `everything` and `nothing` need no look at any file; `condition` tests a label; `within` lists the
 * labels instead, for queries that have nothing else to go by.
 */
export type Scope = 'everything' | 'nothing' | { condition(label: string): Condition; within: Condition }

/**
 * Plans a folder scope by how many files the folders hold: hardly anything forbidden (the usual case: trashcans) is a small set to leave out,
 * hardly anything allowed a small set to choose from.
 */
export function planScope(index: IndexFile, scope: FolderScope): Scope {
  const listed = JSON.stringify('only' in scope ? scope.only : scope.except)
  const all = index.value('SELECT sum(files) FROM folder')
  const inside = index.value('SELECT sum(files) FROM folder WHERE id IN (SELECT value FROM json_each(?))', listed)
  const allowed = 'only' in scope ? inside : all - inside
  if (allowed === 0) return 'nothing'
  if (allowed === all) return 'everything'
  const [isAllowed, isForbidden] = 'only' in scope ? (['IN', 'NOT IN'] as const) : (['NOT IN', 'IN'] as const)
  const within = {
    sql: `SELECT label FROM placement WHERE folder IN (SELECT id FROM folder WHERE id ${isAllowed} (SELECT value FROM json_each(?)))`,
    values: [listed],
  }
  if (all - allowed <= Math.min(allowed, FEW_POINTERS)) {
    const left = `SELECT p.label FROM placement p WHERE p.folder IN (SELECT id FROM folder WHERE id ${isForbidden} (SELECT value FROM json_each(?)))
      AND NOT EXISTS (SELECT 1 FROM placement o WHERE o.label = p.label AND +o.folder ${isAllowed} (SELECT value FROM json_each(?)))`
    return { within, condition: (label) => ({ sql: `+${label} NOT IN (${left})`, values: [listed, listed] }) }
  }
  if (allowed <= FEW_POINTERS) return { within, condition: (label) => ({ sql: `+${label} IN (${within.sql})`, values: [listed] }) }
  const test = (label: string) =>
    `EXISTS (SELECT 1 FROM placement p WHERE p.label = ${label} AND +p.folder ${isAllowed} (SELECT value FROM json_each(?)))`
  return { within, condition: (label) => ({ sql: test(label), values: [listed] }) }
}
