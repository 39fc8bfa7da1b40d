import type { API, Types } from '@opensearch-project/opensearch'
import type { FolderScope, SearchQuery } from '../port.ts'
import { dayNumber } from './stored-document.ts'
import { anyOf, type Clause, oneOf, termClause } from './term-query.ts'

/**
 * The body of a search: an exact total, and the last sort value of each hit is its id.
 * @param isTurned whether the hits come in the opposite order
 */
export function searchRequest(companyId: number, query: SearchQuery, isTurned = false): API.Search_RequestBody {
  const required = query.terms.filter(({ excluded }) => !excluded)
  const excluded = query.terms.filter((term) => term.excluded)
  const heading = clauses(required.map((term) => termClause(term, 'heading')))
  const isRanked = query.order === 'relevance' && heading.length > 0
  return {
    track_total_hits: true,
    _source: false,
    ...(query.withLayout && { docvalue_fields: [...SHAPE, ...dateField(query.order)] }),
    size: query.limit,
    from: query.offset,
    query: {
      bool: {
        filter: [...inCompany(companyId, query.scope), ...filters(query), ...clauses(required.map((term) => termClause(term, 'anywhere')))],
        must_not: clauses(excluded.map((term) => termClause(term, 'anywhere'))),
        // All that have the terms in title or keywords score alike, and so do all others.
        ...(isRanked && { should: [{ constant_score: { filter: { bool: { filter: heading } } } }], minimum_should_match: 0 }),
      },
    },
    sort: sortOf(query, isRanked, isTurned),
  }
}

/** The body of a request for how many files some folders hold. */
export function countRequest(companyId: number, folders: readonly number[]): API.Search_RequestBody {
  const include = folders.map(String)
  return {
    size: 0,
    query: { bool: { filter: [{ term: { company: String(companyId) } }, anyOf(oneOf('folders', include))] } },
    aggregations: {
      folders: { terms: { field: 'folders', include, size: include.length } as Types.Common_Aggregations.TermsAggregation['terms'] },
    },
  }
}

/** The fields that a layout is made of, besides the date of the order. */
const SHAPE = ['width', 'height']

/** The field with the date of an order, where it has one. */
export function dateField(order: SearchQuery['order']): ('created' | 'cameraCreated' | 'expires')[] {
  return order === 'created' || order === 'cameraCreated' || order === 'expires' ? [order] : []
}

function clauses(all: readonly (Clause | undefined)[]): Clause[] {
  return all.filter((clause) => clause !== undefined)
}

/** The files of a company in some folders. */
export function inCompany(companyId: number, scope: FolderScope): Clause[] {
  return [{ term: { company: String(companyId) } }, ...inScope(scope)]
}

function inScope(scope: FolderScope): Clause[] {
  if ('only' in scope) return [anyOf(oneOf('folders', scope.only.map(String)))]
  if (scope.except.length === 0) return []
  const excepted = scope.except.map(String)
  const inAnother = { nested: { path: 'several', query: { bool: { must_not: oneOf('several.folder', excepted) } } } }
  // A file in one folder, the usual case, is tested by itself: looking at each folder of a file takes longer.
  const inSeveralExcepted = { bool: { must_not: [{ exists: { field: 'only' } }, inAnother] } }
  return [{ bool: { must_not: [...oneOf('only', excepted), inSeveralExcepted] } }]
}

/** An unknown value passes no filter. */
function filters(query: SearchQuery): Clause[] {
  const { mediaIds, kinds, date, orientation, minWidth, minHeight, minSides, minExpires, maxExpires, notExpiredOn } = query
  const day = (text: string | undefined) => (text ? dayNumber(text) : undefined)
  return [
    ...(mediaIds ? [anyOf(oneOf('mediaId', mediaIds))] : []),
    ...(kinds ? [{ terms: { kind: kinds } }] : []),
    ...(date ? [range(date.field, { gte: date.min, lte: date.max })] : []),
    ...(orientation ? [{ term: { orientation } }] : []),
    ...(minWidth === undefined ? [] : [range('width', { gte: minWidth })]),
    ...(minHeight === undefined ? [] : [range('height', { gte: minHeight })]),
    ...(minSides ? [range('longSide', { gte: minSides.long }), range('shortSide', { gte: minSides.short })] : []),
    ...(minExpires || maxExpires ? [range('expires', { gte: day(minExpires), lte: day(maxExpires) })] : []),
    ...(notExpiredOn ? [{ bool: { must_not: range('expires', { lt: day(notExpiredOn) }) } }] : []),
  ]
}

function range(field: string, bounds: Types.Common_QueryDsl.RangeQuery): Clause {
  return { range: { [field]: bounds } }
}

type Direction = SearchQuery['direction']

/** What files without a camera time count as: later or earlier than all others. Numbers beyond it can't be sent back to where a page ended. */
const NEVER = { asc: Number.MAX_SAFE_INTEGER, desc: Number.MIN_SAFE_INTEGER }

/** The same of files that never expire. */
const NO_DAY = { asc: 2 ** 31 - 1, desc: -(2 ** 31) }

function sortOf({ order, direction, near }: SearchQuery, isRanked: boolean, isTurned: boolean): Types.Common.SortCombinations[] {
  const turned = (way: Direction): Direction => (isTurned === (way === 'asc') ? 'desc' : 'asc')
  const by = (field: string, way: Direction, more = {}) => ({ [field]: { order: turned(way), ...more } })
  const ties = (way: Direction) => [by('created', way), by('mediaId', way)]
  if (isRanked) return [by('_score', direction), ...ties(direction)]
  if (order === 'cameraCreated') return [by('cameraCreated', direction, { missing: NEVER[direction] }), ...ties(direction)]
  if (order === 'filename') return [by('filenameKey', direction), by('mediaId', direction)]
  if (order === 'kind') return [by('kind', direction), by('mediaId', direction)]
  if (order === 'byline') return [by('hasByline', 'desc'), by('bylineKey', direction), by('mediaId', direction)]
  if (order === 'expires') return [by('expires', direction, { missing: NO_DAY[direction] }), by('mediaId', direction)]
  if (order === 'folder') return [by('mediaId', direction)]
  if (order === 'size') return [by('bytes', direction), by('mediaId', direction)]
  if (order !== 'distance') return ties(direction)
  if (!near) throw new TypeError('order by distance needs a place to measure from')
  const place = { lat: near.latitude, lon: near.longitude }
  // Files without a place count as farthest: where the farthest come first, they would be ahead of all others.
  return [by('hasPlace', 'desc'), by('_geo_distance', direction, { place }), ...ties(direction === 'asc' ? 'desc' : 'asc')]
}
