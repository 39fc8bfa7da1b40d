import { documentFilters } from './filters.ts'
import type { FolderSet } from './folder-sets.ts'
import type { IndexFile } from './index-file.ts'
import type { SearchQuery } from './port.ts'
import { inScope, type ScopeSet } from './scope.ts'
import type { Terms } from './terms.ts'

/** A page of the matches, in order of their labels. */
export interface Page {
  limit: number
  offset: number
  /** Of labels, thus of creation. */
  direction: 'asc' | 'desc'
}

/**
 * Browsing: the files of some folders, newest or oldest first, without terms or filters. The total comes from the counts of folders, and a page
 * costs as much as it shows, however many files there are.
 */

/** Whether a query asks for folders only. */
export function isBrowsing(query: SearchQuery, { required, either, excluded, excludedLabels }: Terms): boolean {
  const terms = required.length + either.length + excluded.length + excludedLabels.length
  const filters = documentFilters(query).length + (query.date?.field === 'created' ? 1 : 0)
  return terms + filters === 0 && query.mediaIds === undefined && (query.order === 'created' || query.order === 'relevance')
}

/** @returns the exact number of files, and a page of their labels */
export function browse(index: IndexFile, scope: 'everything' | ScopeSet, page: Page): { total: number; labels: number[] } {
  const all = index.value('SELECT files FROM state')
  if (scope === 'everything') return { total: all, labels: walk(index, undefined, page) }
  const { set, isOnly } = scope
  const total = isOnly
    ? set.counted('files in it', () => filesIn(index, set))
    : all - set.counted('files only in it', () => filesOnlyIn(index, set))
  const reach = Math.min(page.offset + page.limit, total)
  if (page.offset >= total || page.limit === 0) return { total, labels: [] }
  // The files that a walk reads until it has enough, if those of the folders are spread evenly.
  const expected = (reach * all) / total
  const steps = isOnly ? set.folders.length + reach : Infinity
  if (steps * STEP < expected) return { total, labels: merge(index, set, page) }
  const end = labelAt(index, Math.ceil(UNEVEN * expected) + FEWEST_WALKED, page)
  const found = walk(index, { scope, end }, page)
  if (found.length === reach - page.offset) return { total, labels: found }
  return { total, labels: isOnly ? merge(index, set, page) : walk(index, { scope }, page) }
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
function walk(index: IndexFile, inside: { scope: ScopeSet; end?: number } | undefined, { direction, limit, offset }: Page): number[] {
  const conditions = []
  if (inside) conditions.push(inScope(inside.scope, 'd.label'))
  if (inside?.end !== undefined) conditions.push({ sql: `d.label ${direction === 'desc' ? '>=' : '<='} ?`, values: [inside.end] })
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
