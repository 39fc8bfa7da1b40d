import type { Route } from '../router.svelte.ts'

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

/** The same as the API takes it: tags are words that must be in it whole. */
export function sentSearch({ tags = '', ...parameters }: Parameters): Parameters {
  const phrases = tags.split(',').flatMap((tag) => tag.trim().replaceAll('"', '') || [])
  const q = [parameters.q, ...phrases.map((tag) => `"${tag}"`)].filter(Boolean).join(' ')
  return q ? { ...parameters, q } : parameters
}
