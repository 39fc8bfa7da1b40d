import type { StockQuery } from './port.ts'

/**
 * Query parameters of a search for the provider's `GET /search`. Times are UTC, lengths pixels. Leaves out what the search doesn't limit.
 * @param ids of the provider's items
 */
export function searchParameters({ text, matching, language, criteria }: StockQuery, ids: readonly number[]): URLSearchParams {
  const { date, minSides, near } = criteria
  const values: Record<string, string | number | undefined> = {
    q: text === '' ? undefined : text.normalize('NFC'),
    query_type: matching,
    lang: language,
    date_field: date && dateFields[date.field],
    from: date?.min === undefined ? undefined : new Date(date.min).toISOString(),
    to: date?.max === undefined ? undefined : new Date(date.max).toISOString(),
    orientation: criteria.orientation,
    min_width: criteria.minWidth,
    min_height: criteria.minHeight,
    min_long_side: minSides?.long,
    min_short_side: minSides?.short,
    expires_from: criteria.minExpires,
    expires_to: criteria.maxExpires,
    not_expired_on: criteria.notExpiredOn,
    order: criteria.order === 'cameraCreated' ? dateFields.cameraCreated : criteria.order,
    direction: criteria.direction,
    latitude: near?.latitude,
    longitude: near?.longitude,
    limit: criteria.limit,
    offset: criteria.offset,
  }
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) parameters.set(name, String(value))
  for (const id of ids) parameters.append('id', String(id))
  for (const kind of criteria.kinds ?? []) parameters.append('kind', kind)
  return parameters
}

const dateFields = { created: 'created', cameraCreated: 'camera_created', modified: 'modified' } as const
