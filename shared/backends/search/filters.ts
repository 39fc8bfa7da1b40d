import { firstLabelFrom } from './document-order.ts'
import type { IndexFile } from './index-file.ts'
import type { SearchQuery } from './port.ts'
import type { Condition } from './sql.ts'

const DATE_COLUMNS = { cameraCreated: 'd.camera_created', modified: 'd.modified' } as const

/**
 * The filters on columns of `doc` (as `d`). An unknown value (null) passes no filter.
 * @param isKindKnown whether something else filters by kind
 */
export function documentFilters(query: SearchQuery, isKindKnown = false): Condition[] {
  const { kinds, date, orientation, minWidth, minHeight, minSides, minExpires, maxExpires, notExpiredOn } = query
  const conditions: Condition[] = []
  const keep = (sql: string, ...values: (number | string)[]) => conditions.push({ sql, values })
  if (kinds && !isKindKnown) keep('d.kind IN (SELECT value FROM json_each(?))', JSON.stringify(kinds))
  if (date && date.field !== 'created') {
    keep(`${DATE_COLUMNS[date.field]} BETWEEN ? AND ?`, date.min ?? Number.MIN_SAFE_INTEGER, date.max ?? Number.MAX_SAFE_INTEGER)
  }
  if (orientation) keep(orientation === 'horizontal' ? 'd.width > d.height' : 'd.height > d.width')
  if (minWidth !== undefined) keep('d.width >= ?', minWidth)
  if (minHeight !== undefined) keep('d.height >= ?', minHeight)
  if (minSides) keep('max(d.width, d.height) >= ? AND min(d.width, d.height) >= ?', minSides.long, minSides.short)
  if (minExpires !== undefined) keep('d.expires >= ?', minExpires)
  if (maxExpires !== undefined) keep('d.expires <= ?', maxExpires)
  if (notExpiredOn !== undefined) keep('(d.expires IS NULL OR d.expires >= ?)', notExpiredOn)
  return conditions
}

/** The filter by import time, which is a range of labels: labels are in order of import time. */
export function createdFilter(index: IndexFile, { date }: SearchQuery, label: string): Condition[] {
  if (date?.field !== 'created') return []
  const conditions: Condition[] = []
  const past = Number.MAX_SAFE_INTEGER
  if (date.min !== undefined) conditions.push({ sql: `${label} >= ?`, values: [firstLabelFrom(index, date.min) ?? past] })
  if (date.max !== undefined) conditions.push({ sql: `${label} < ?`, values: [firstLabelFrom(index, date.max + 1) ?? past] })
  return conditions
}
