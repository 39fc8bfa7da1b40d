import { documentFilters } from './filters.ts'
import type { FolderSet } from './folder-sets.ts'
import type { IndexFile } from './index-file.ts'
import { fromNearerEnd, type Page } from './page.ts'
import type { SearchQuery } from './port.ts'
import type { PlannedScope, Scope, ScopeSet } from './scope.ts'
import type { Terms } from './terms.ts'

/**
 * Browsing: the files of some folders, newest or oldest first, without terms or filters. The total comes from the counts of folders, and a page
 * costs as much as it shows, however many files there are.
 */

/** Whether a query asks for folders only. */
export function isBrowsing(query: SearchQuery, { required, either, excluded, excludedLabels }: Terms): boolean {
  const terms = required.length + either.length + excluded.length + excludedLabels.length
  const filters = documentFilters(query).length + (query.date?.field === 'created' ? 1 : 0)
  return terms + filters === 0 && query.mediaIds === undefined
}

/** The exact number of files in some folders. */
export function browsed(index: IndexFile, plan: Scope, { set, isOnly }: ScopeSet): number {
  if (plan === 'nothing') return 0
  const all = index.value('SELECT files FROM state')
  if (plan === 'everything') return all
  return isOnly
    ? set.counted('files in it', () => filesIn(index, set))
    : all - set.counted('files only in it', () => filesOnlyIn(index, set))
}

/**
 * A page of the labels of the files in some folders, in order of their labels.
 * @param total files in them
 */
export function browse(index: IndexFile, plan: Exclude<Scope, 'nothing'>, scope: ScopeSet, total: number, page: Page): number[] {
  return fromNearerEnd(total, page, (near) =>
    plan === 'everything' ? walk(index, {}, near) : browseFolders(index, plan, scope, total, near),
  )
}

function browseFolders(index: IndexFile, plan: PlannedScope, { set, isOnly }: ScopeSet, total: number, page: Page): number[] {
  const reach = page.offset + page.limit
  // The files that a walk reads until it has enough, if those of the folders are spread evenly.
  const expected = (reach * index.value('SELECT files FROM state')) / total
  const steps = isOnly ? set.folders.length + reach : Infinity
  if (steps * STEP < expected) return merge(index, set, page)
  const end = labelAt(index, Math.ceil(UNEVEN * expected) + FEWEST_WALKED, page)
  const found = walk(index, { plan, end }, page)
  if (found.length === page.limit) return found
  return isOnly ? merge(index, set, page) : walk(index, { plan }, page)
}

/** A step of a merge takes as long as walking so many files. */
const STEP = 2
/** A walk ends without success after so many times the expected files, and some more. */
const UNEVEN = 4
const FEWEST_WALKED = 100

/** Number of files in any of the folders. Reads only files that are in several folders. */
function filesIn(index: IndexFile, { sql, values, holds }: FolderSet): number {
  const { pointers, sharedPointers, sharingFolders } = holds
  if (sharingFolders <= 1) return pointers
  return pointers - sharedPointers + index.value(`SELECT count(DISTINCT label) FROM shared WHERE folder IN ${sql}`, ...values)
}

/** Number of files that are in no other folder. */
function filesOnlyIn(index: IndexFile, { sql, values, holds }: FolderSet): number {
  const { pointers, sharedPointers } = holds
  if (sharedPointers === 0) return pointers
  const inside = `SELECT label, count(*) AS pointers FROM shared WHERE folder IN ${sql} GROUP BY label`
  const whole = `SELECT count(*) FROM (${inside}) i WHERE i.pointers = (SELECT count(*) FROM placement p WHERE p.label = i.label)`
  return pointers - sharedPointers + index.value(whole, ...values)
}

/** Walks all files in order, up to a label where one is given. */
function walk(index: IndexFile, inside: { plan?: PlannedScope; end?: number | undefined }, { direction, limit, offset }: Page): number[] {
  const conditions = []
  if (inside.plan) conditions.push(inside.plan.condition('d.label'))
  if (inside.end !== undefined) conditions.push({ sql: `d.label ${direction === 'desc' ? '>=' : '<='} ?`, values: [inside.end] })
  const where = conditions.map(({ sql }) => sql).join(' AND ') || 'TRUE'
  const sql = `SELECT d.label FROM doc d WHERE ${where} ORDER BY d.label ${direction} LIMIT ? OFFSET ?`
  return index.rows<[number]>(sql, ...conditions.flatMap(({ values }) => values), limit, offset).map(([label]) => label)
}

/** The label of the file in this position; undefined past the end. */
function labelAt(index: IndexFile, position: number, { direction }: Page): number | undefined {
  return index.row<[number]>(`SELECT label FROM doc ORDER BY label ${direction} LIMIT 1 OFFSET ?`, position)?.[0]
}

/**
 * Merges the files of folders, of which each folder's are in order: a queue has the next file of every folder. The first of these is taken, and
 * the next of its folder added. (It is the queue of SQLite's recursive queries.) A file in several of the folders comes several times in a row.
 */
function merge(index: IndexFile, { sql, values }: FolderSet, { direction, limit, offset }: Page): number[] {
  const [first, past] = direction === 'desc' ? ['max', '<'] : ['min', '>']
  const rows = index.prepare(`
    WITH RECURSIVE queue (label, folder) AS (
      SELECT (SELECT ${first}(p.label) FROM placement p WHERE p.folder = f.id), f.id FROM folder f WHERE f.id IN ${sql}
      UNION ALL
      SELECT n.label, q.folder FROM queue q CROSS JOIN placement n
        ON n.folder = q.folder AND n.label = (SELECT ${first}(p.label) FROM placement p WHERE p.folder = q.folder AND p.label ${past} q.label)
      ORDER BY 1 ${direction}
    ) SELECT label FROM queue`)
  const found: number[] = []
  let last: number | undefined
  for (const [label] of rows.iterate(...values) as Iterable<unknown> as Iterable<[number]>) {
    if (label === last) continue
    last = label
    if (found.push(label) === offset + limit) break
  }
  return found.slice(offset)
}
