import type { FilterName } from './query.ts'

/** What the fields of the filters hold. */
export interface FilterValues {
  kind: string
  orientation: string
  /** Days, as `2026-05-17`. */
  from: string
  until: string
  /** Pixels of a side, or a print size. */
  size: string
  /** Separated by commas. */
  tags: string
  isExpired: boolean
}

/** The filters of an address as fields hold them. */
export function valuesOf(parameters: URLSearchParams): FilterValues {
  const value = (name: FilterName) => parameters.get(name) ?? ''
  return {
    kind: value('media_type'),
    orientation: value('orientation'),
    from: value('min_date').slice(0, 10),
    until: value('max_date').slice(0, 10),
    size: value('resolution') || value('min_width'),
    tags: value('tags').split(',').join(', '),
    isExpired: value('expired') !== '',
  }
}

/** The same as an address has them; empty ones are to be taken away. */
export function parametersOf({ kind, orientation, from, until, size, tags, isExpired }: FilterValues): Partial<Record<FilterName, string>> {
  const isPrint = /^a\d$/.test(size)
  const list = tags.split(',').map((tag) => tag.trim())
  return {
    media_type: kind,
    orientation,
    min_date: from && `${from}T00:00:00Z`,
    max_date: until && `${until}T23:59:59Z`,
    min_width: isPrint ? '' : size,
    min_height: isPrint ? '' : size,
    resolution: isPrint ? size : '',
    tags: list.filter(Boolean).join(','),
    expired: isExpired ? '1' : '',
  }
}
