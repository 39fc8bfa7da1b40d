import { browse, isBrowsing, type Page } from './browse.ts'
import { type Candidates, candidates } from './candidates.ts'
import { pointOnSphere } from './distance.ts'
import { folderSetsOf } from './folder-sets.ts'
import type { IndexFile } from './index-file.ts'
import { filesOf } from './match.ts'
import type { SearchQuery, SearchResult } from './port.ts'
import { ranked, rankingOf } from './ranking.ts'
import { planScope } from './scope.ts'
import { and } from './sql.ts'
import { sortTerms } from './terms.ts'

/** Up to so many matches are ranked by BM25, which reads every match. More are ranked in two tiers. */
const FEW_RANKED = 2_000

/** A page that ends up to here is read twice as far: when these are all matches, no second statement has to count them. */
const FEW_COUNTED = 100

/**
 * Answers a query: the exact number of matches and one page of them. Ties are ordered by import time and id, in the query's direction (newest
 * first where the nearest are first).
 */
export function answer(index: IndexFile, query: SearchQuery): SearchResult {
  const { limit, offset, direction } = query
  const isOnly = 'only' in query.scope
  const listed = 'only' in query.scope ? query.scope.only : query.scope.except
  const sets = folderSetsOf(index).of([listed, ...query.terms.flatMap(({ folders }) => (folders ? [folders] : []))])
  return index.reading(() => {
    const terms = sortTerms(index, query.terms, sets)
    const folders = { set: sets.get(listed)!, isOnly }
    const scope = planScope(index, folders, terms.required.length > 0 ? 'withTerms' : 'withoutTerms')
    if (scope === 'nothing') return { total: 0, mediaIds: [] }
    const page = { limit, offset, direction }
    if (isBrowsing(query, terms)) {
      const { total, labels: found } = browse(index, scope === 'everything' ? scope : folders, page)
      return { total, mediaIds: ids(index, found) }
    }
    if (query.order === 'cameraCreated' || query.order === 'distance') {
      const found = candidates(index, query, terms, scope, 'anywhere', true)
      return { total: count(index, found), mediaIds: ids(index, sorted(index, found, query)) }
    }
    const found = candidates(index, query, terms, scope, 'anywhere')
    if (query.order === 'created' || terms.required.length + terms.either.length === 0) return newest(index, found, page)
    const total = found.alone && filesOf(index, found.alone)
    const few = total === undefined || total <= FEW_RANKED ? allLabels(index, found, FEW_RANKED) : undefined
    const ranking = few && rankingOf(index, terms)
    if (ranking) return { total: few.length, mediaIds: ids(index, ranked(index, ranking, few, query)) }
    const first = candidates(index, query, terms, scope, 'heading')
    return { total: total ?? few?.length ?? count(index, found), mediaIds: ids(index, tiered(index, first, found, page)) }
  })
}

function newest(index: IndexFile, found: Candidates, page: Page): SearchResult {
  const end = page.offset + page.limit
  if (end > FEW_COUNTED) return { total: count(index, found), mediaIds: ids(index, byLabel(index, found, page)) }
  const labels = byLabel(index, found, { ...page, limit: 2 * end, offset: 0 })
  const total = labels.length < 2 * end ? labels.length : count(index, found)
  return { total, mediaIds: ids(index, labels.slice(page.offset, end)) }
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

function sorted(index: IndexFile, found: Candidates, query: SearchQuery): number[] {
  const direction = query.direction
  if (query.order === 'cameraCreated') {
    return labels(index, found, `d.camera_created ${direction} NULLS LAST, ${found.label} ${direction}`, [], query)
  }
  if (!query.near) throw new TypeError('order by distance needs a place to measure from')
  const { x, y, z } = pointOnSphere(query.near)
  // What is nearer has a larger cosine; of files at one place the newest is taken for the nearest.
  const order = direction === 'asc' ? 'DESC' : 'ASC'
  return labels(index, found, `d.x * ? + d.y * ? + d.z * ? ${order} NULLS LAST, ${found.label} ${order}`, [x, y, z], query)
}

function byLabel(index: IndexFile, found: Candidates, page: Page): number[] {
  return labels(index, found, `${found.label} ${page.direction}`, [], page)
}

function labels(index: IndexFile, found: Candidates, order: string, orderValues: number[], page: Omit<Page, 'direction'>): number[] {
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
