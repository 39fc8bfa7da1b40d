import { today } from '../language/format.ts'
import type { Route } from '../router.svelte.ts'
import { isKnownOrder } from './order.ts'

/** Parameters of a search, as an address of the console has them. */
export type Parameters = Record<string, string>

/** What narrows a list: words and order aside. */
export const filterNames = [
  'media_type',
  'orientation',
  'min_date',
  'max_date',
  'min_width',
  'min_height',
  'resolution',
  'tags',
  'folder_ids',
  'date_filter_field',
  'min_expiration_date',
  'max_expiration_date',
  'exclude_expired_media',
  'expired',
] as const
export type FilterName = (typeof filterNames)[number]

const others = ['q', 'order', 'direction', 'recursive', 'query_type', 'unique_media_id', 'latitude', 'longitude'] as const

/** The search that stands for a page; undefined where the page shows no files. */
export function searchOf(route: Route, given: URLSearchParams): Parameters | undefined {
  const parameters: Parameters = {}
  for (const name of [...others, ...filterNames]) {
    const value = given.get(name)?.trim()
    if (value) parameters[name] = value
  }
  // What isn't known is told (UnknownOrder.svelte); the usual order stands in for it.
  if (!isKnownOrder(given)) {
    delete parameters.order
    delete parameters.direction
  }
  switch (route.page) {
    case 'folder':
      return { ...parameters, folder_ids: String(route.id) }
    case 'all':
    case 'search':
      return parameters.folder_ids || parameters.unique_media_id ? parameters : { ...parameters, all: '1' }
    default:
      return undefined
  }
}

/** The same as the API takes it: tags are words that must be in it whole, and what has expired did so before today. */
export function sentSearch({ tags = '', expired, ...parameters }: Parameters): Parameters {
  const phrases = tags.split(',').flatMap((tag) => tag.trim().replaceAll('"', '') || [])
  const q = [parameters.q, ...phrases.map((tag) => `"${tag}"`)].filter(Boolean).join(' ')
  return { ...parameters, ...(q && { q }), ...(expired && { max_expiration_date: dayBefore(today()) }) }
}

/** @param day as `2030-05-17` */
function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}
