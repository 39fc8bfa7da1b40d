import type * as z from 'zod'
import type { SearchParameters } from '../../infra/clients/reference/remote-services/search-parameters.ts'
import type { Item } from '../../shared/backends/stock/provider-answers.ts'

/** An item as the provider answers it. */
export type OfferedItem = z.input<typeof Item>
type Parameters = z.output<typeof SearchParameters>

/** What the reference provider finds: simple, and slow. */
export function findItems(items: readonly OfferedItem[], parameters: Parameters): OfferedItem[] {
  return items.filter((item) => isWanted(item, parameters) && matches(item, parameters)).sort(inOrder(parameters))
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** All terms match in any language. */
function matches({ title, description, keywords, filename }: OfferedItem, { q = '', query_type }: Parameters): boolean {
  const texts = [...Object.values(title ?? {}), ...Object.values(description ?? {}), ...Object.values(keywords ?? {}).flat(), filename]
  const words = texts.flatMap(wordsOf)
  const isFound = (term: string) =>
    words.some((word) => {
      if (query_type === 'wildcards') return word.includes(term)
      return query_type === 'default' ? word.startsWith(term) : word === term
    })
  return q.split(/\s+/).every((term) => wordsOf(term).every((word) => isFound(word) !== term.startsWith('-')))
}

function isWanted(item: OfferedItem, wanted: Parameters): boolean {
  const { width, height } = item
  const [short, long] = [width ?? 0, height ?? 0].sort((a, b) => a - b) as [number, number]
  const time = timeOf(item, wanted.date_field ?? 'created')
  const { expires } = item
  return [
    wanted.id?.includes(item.id),
    wanted.kind?.includes(item.kind),
    wanted.from === undefined ? undefined : time !== undefined && time >= Date.parse(wanted.from),
    wanted.to === undefined ? undefined : time !== undefined && time <= Date.parse(wanted.to),
    wanted.orientation && (wanted.orientation === 'horizontal' ? (width ?? 0) > (height ?? 0) : (width ?? 0) < (height ?? 0)),
    wanted.min_width === undefined ? undefined : (width ?? 0) >= wanted.min_width,
    wanted.min_height === undefined ? undefined : (height ?? 0) >= wanted.min_height,
    wanted.min_long_side === undefined ? undefined : long >= wanted.min_long_side,
    wanted.min_short_side === undefined ? undefined : short >= wanted.min_short_side,
    wanted.expires_from && (expires ?? '') >= wanted.expires_from,
    wanted.expires_to && (expires ?? '~') <= wanted.expires_to,
    wanted.not_expired_on && (expires ?? '~') >= wanted.not_expired_on,
  ].every((condition) => condition !== false)
}

function timeOf(item: OfferedItem, field: 'created' | 'camera_created' | 'modified'): number | undefined {
  const time = field === 'camera_created' ? item.camera_created : item.created
  return time ? Date.parse(time) : undefined
}

function inOrder({ order, direction, latitude = 0, longitude = 0 }: Parameters): (a: OfferedItem, b: OfferedItem) => number {
  const rank = (item: OfferedItem) => {
    if (order === 'relevance' || order === 'filename') return 0
    if (order === 'size') return item.bytes
    if (order !== 'distance') return timeOf(item, order)
    return item.position ? Math.hypot(item.position.latitude - latitude, item.position.longitude - longitude) : undefined
  }
  return (a, b) => {
    if (order === 'filename') return (direction === 'asc' ? 1 : -1) * a.filename.toLowerCase().localeCompare(b.filename.toLowerCase())
    const [first, second] = [rank(a), rank(b)]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    return direction === 'asc' ? first - second : second - first
  }
}
