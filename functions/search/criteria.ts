import type { SearchQuery } from '../../shared/backends/search/port.ts'
import { day } from '../../shared/library/time.ts'
import type { ParsedTerm } from '../../shared/vocabulary/parse-query.ts'
import { type CommonQuery, orderOf } from './search-query.ts'

type Order = SearchQuery['order']

/** Orders whose files come the largest, newest or best first unless asked otherwise. */
const DESCENDING: readonly Order[] = ['relevance', 'created', 'cameraCreated', 'size']

/** Orders as engines name them, where the API says otherwise. */
const ENGINE_ORDERS = { camera_created: 'cameraCreated', expiration_date: 'expires' } as const

/** Whether a query has one of the criteria without which a search finds nothing. A `q` without any term counts as not given. */
export function isSearch(query: CommonQuery, terms: readonly ParsedTerm[]): boolean {
  return query.all || terms.length > 0 || Boolean(query.unique_media_id ?? query.media_id)
}

/**
 * The criteria of a search besides terms and folders.
 * @param limit how many files
 * @param now UNIX milliseconds
 */
export function criteriaOf(
  query: CommonQuery,
  terms: readonly ParsedTerm[],
  { limit, now }: { limit: number; now: number },
): Omit<SearchQuery, 'terms' | 'scope' | 'folderOrder'> {
  const asked = orderOf(query, terms)
  const order: Order = asked === 'camera_created' || asked === 'expiration_date' ? ENGINE_ORDERS[asked] : asked
  const dateField = { created: 'created', camera_created: 'cameraCreated', last_modified: 'modified' } as const
  const { min_date: min, max_date: max, latitude, longitude } = query
  return {
    mediaIds: query.unique_media_id ?? query.media_id,
    kinds: query.media_type,
    date: min === undefined && max === undefined ? undefined : { field: dateField[query.date_filter_field], min, max },
    orientation: query.orientation,
    minWidth: query.min_width,
    minHeight: query.min_height,
    minSides: query.resolution,
    minExpires: query.min_expiration_date,
    maxExpires: query.max_expiration_date,
    notExpiredOn: query.exclude_expired_media ? day(now) : undefined,
    order,
    direction: query.direction ?? (DESCENDING.includes(order) ? 'desc' : 'asc'),
    near: order !== 'distance' || latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    limit,
    offset: query.media_offset,
  }
}
