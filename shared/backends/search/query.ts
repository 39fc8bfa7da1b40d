import { browse, browsed, isBrowsing } from './browse.ts'
import { type Candidates, candidates } from './candidates.ts'
import { pointOnSphere } from './document-rows.ts'
import { folderRanksOf } from './folder-ranks.ts'
import { folderSetsOf } from './folder-sets.ts'
import type { IndexFile } from './index-file.ts'
import { layoutOf, type Shape } from './layout.ts'
import { filesOf } from './match.ts'
import { fromNearerEnd, type Page } from './page.ts'
import type { SearchQuery, SearchResult } from './port.ts'
import { ranked, rankingOf } from './ranking.ts'
import { planScope, type Scope, type ScopeSet } from './scope.ts'
import { and, type Condition } from './sql.ts'
import { sortTerms, type Terms } from './terms.ts'

/** Up to so many matches are ranked by BM25, which reads every match. More are ranked in two tiers. */
const FEW_RANKED = 2_000

/** Pages that end below this are read twice as far. If these are all matches, no second statement counts them. */
const FEW_COUNTED = 100

/** Files that a query finds: their exact number, and a page of their labels. */
interface Found {
  total: number
  labels: number[]
}

/**
 * Answers a query: the exact number of matches and one page of them. Ties are ordered by import time and id, in the query's direction (newest
 * first where the nearest are first), those of all orders but dates and distance by id.
 */
export function answer(index: IndexFile, query: SearchQuery): SearchResult {
  const isOnly = 'only' in query.scope
  const listed = 'only' in query.scope ? query.scope.only : query.scope.except
  const sets = folderSetsOf(index).of([listed, ...query.terms.flatMap(({ folders }) => (folders ? [folders] : []))])
  // Before the transaction, in which it is known.
  if (query.folderOrder) folderRanksOf(index).table(query.folderOrder)
  return index.reading(() => {
    const terms = sortTerms(index, query.terms, sets)
    const folders = { set: sets.get(listed)!, isOnly }
    const plan = planScope(index, folders, terms.required.length > 0 ? 'withTerms' : 'withoutTerms')
    const { total, labels } = plan === 'nothing' ? { total: 0, labels: [] } : find(index, query, terms, plan, folders)
    return query.withLayout ? { total, ...laidOut(index, labels, query) } : { total, mediaIds: ids(index, labels) }
  })
}

function find(index: IndexFile, query: SearchQuery, terms: Terms, plan: Exclude<Scope, 'nothing'>, folders: ScopeSet): Found {
  const { limit, offset, direction, order } = query
  const page = { limit, offset, direction }
  const isByLabel = order === 'created' || order === 'relevance'
  const all = isBrowsing(query, terms) ? browsed(index, plan, folders) : undefined
  if (all !== undefined && isByLabel) return { total: all, labels: browse(index, plan, folders, all, page) }
  const found = candidates(index, query, terms, plan, 'anywhere', !isByLabel)
  if (!isByLabel) {
    const total = all ?? count(index, found)
    return { total, labels: sorted(index, found, query, total) }
  }
  if (order === 'created' || terms.required.length + terms.either.length === 0) return newest(index, found, page)
  const total = found.alone && filesOf(index, found.alone)
  const few = total === undefined || total <= FEW_RANKED ? allLabels(index, found, FEW_RANKED) : undefined
  const ranking = few && rankingOf(index, terms)
  if (ranking) return { total: few.length, labels: ranked(index, ranking, few, query) }
  const first = candidates(index, query, terms, plan, 'heading')
  return { total: total ?? few?.length ?? count(index, found), labels: tiered(index, first, found, page) }
}

function newest(index: IndexFile, found: Candidates, page: Page): Found {
  const end = page.offset + page.limit
  if (end > FEW_COUNTED) {
    const total = count(index, found)
    return { total, labels: fromNearerEnd(total, page, (near) => byLabel(index, found, near)) }
  }
  const some = byLabel(index, found, { ...page, limit: 2 * end, offset: 0 })
  const total = some.length < 2 * end ? some.length : count(index, found)
  return { total, labels: some.slice(page.offset, end) }
}

/** First the files that have all terms in title or keywords, then the others, both newest first. Ascending order is the reverse of this. */
function tiered(index: IndexFile, first: Candidates, all: Candidates, page: Page): number[] {
  const rest = without(all, first)
  const result: number[] = []
  let { offset } = page
  for (const tier of page.direction === 'desc' ? [first, rest] : [rest, first]) {
    const limit = page.limit - result.length
    const found = byLabel(index, tier, { limit, offset, direction: page.direction })
    result.push(...found)
    if (found.length === limit) break
    offset = found.length > 0 ? 0 : Math.max(0, offset - count(index, tier))
  }
  return result
}

function sorted(index: IndexFile, found: Candidates, query: SearchQuery, total: number): number[] {
  return fromNearerEnd(total, query, (page) => {
    const nulls = page.direction === query.direction ? 'NULLS LAST' : 'NULLS FIRST'
    const { sql, values } = orderOf(index, query, found.label, page.direction, nulls)
    return labels(index, found, sql, values, page)
  })
}

/** @param nulls where files without a value come */
function orderOf(
  index: IndexFile,
  { order, near, folderOrder }: SearchQuery,
  label: string,
  direction: Page['direction'],
  nulls: 'NULLS LAST' | 'NULLS FIRST',
): Condition {
  const byColumn = (column: string, where = '') => ({ sql: `${column} ${direction} ${where}, d.media_id ${direction}`, values: [] })
  if (order === 'filename') return byColumn('d.filename')
  if (order === 'size') return byColumn('d.bytes')
  if (order === 'kind') return byColumn('d.kind')
  if (order === 'byline' || order === 'expires') return byColumn(`d.${order}`, nulls)
  if (order === 'folder') {
    if (!folderOrder) throw new TypeError('order by folder needs the order of folders')
    return byColumn(folderRank(folderRanksOf(index).table(folderOrder)), nulls)
  }
  if (order === 'cameraCreated') return { sql: `d.camera_created ${direction} ${nulls}, ${label} ${direction}`, values: [] }
  if (!near) throw new TypeError('order by distance needs a place to measure from')
  const { x, y, z } = pointOnSphere(near)
  // Nearer files have a larger cosine. Of files at one place the newest comes first.
  const closeness = direction === 'asc' ? 'DESC' : 'ASC'
  return { sql: `d.x * ? + d.y * ? + d.z * ? ${closeness} ${nulls}, ${label} ${closeness}`, values: [x, y, z] }
}

/** The rank of a file's first folder that has one. Nearly always that is its first folder. */
function folderRank(ranks: string): string {
  return `coalesce((SELECT r.rank FROM ${ranks} r WHERE r.folder = d.first_folder),
    (SELECT r.rank FROM json_each(d.all_folders) f CROSS JOIN ${ranks} r ON r.folder = f.value ORDER BY f.key LIMIT 1))`
}

function byLabel(index: IndexFile, found: Candidates, page: Page): number[] {
  return labels(index, found, `${found.label} ${page.direction}`, [], page)
}

function labels(
  index: IndexFile,
  found: Candidates,
  order: string,
  orderValues: Condition['values'],
  page: Omit<Page, 'direction'>,
): number[] {
  const sql = `SELECT ${found.label} FROM ${found.from} WHERE ${found.where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`
  return index.rows<[number]>(sql, ...found.where.values, ...orderValues, page.limit, page.offset).map(([label]) => label)
}

/** @returns undefined where there are more than so many */
function allLabels(index: IndexFile, { label, from, where }: Candidates, most: number): number[] | undefined {
  const found = index.rows<[number]>(`SELECT ${label} FROM ${from} WHERE ${where.sql} LIMIT ${most + 1}`, ...where.values)
  return found.length > most ? undefined : found.map(([one]) => one)
}

function count(index: IndexFile, { from, where, alone }: Candidates): number {
  return (alone && filesOf(index, alone)) ?? index.value(`SELECT count(*) FROM ${from} WHERE ${where.sql}`, ...where.values)
}

/** All but these. */
function without({ alone: _, ...all }: Candidates, { label, from, where }: Candidates): Candidates {
  const notAmong = { sql: `+${all.label} NOT IN (SELECT ${label} FROM ${from} WHERE ${where.sql})`, values: where.values }
  return { ...all, where: and([all.where, notAmong]) }
}

function ids(index: IndexFile, labels: readonly number[]): number[] {
  return labels.map((label) => index.value('SELECT media_id FROM doc WHERE label = ?', label))
}

/** The dates of orders, in UNIX milliseconds. */
const DATES: { [Order in SearchQuery['order']]?: string } = {
  created: 'd.created',
  cameraCreated: 'd.camera_created',
  expires: 'unixepoch(d.expires) * 1000',
}

function laidOut(index: IndexFile, labels: readonly number[], { order }: SearchQuery): Omit<SearchResult, 'total'> {
  const date = DATES[order] ?? 'NULL'
  const rows = index.rows<[number, number | null, number | null, number | null]>(
    `SELECT d.media_id, d.width, d.height, ${date} FROM json_each(?) l CROSS JOIN doc d ON d.label = l.value`,
    JSON.stringify(labels),
  )
  return {
    mediaIds: rows.map(([mediaId]) => mediaId),
    layout: layoutOf(rows.map(([, width, height, time]): Shape => ({ width, height, time }))),
  }
}
