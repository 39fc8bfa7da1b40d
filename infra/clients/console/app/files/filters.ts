import { tree } from '../folders/tree.svelte.ts'
import { day } from '../language/format.ts'
import { text } from '../language/language.svelte.ts'
import { addressOf, router } from '../router.svelte.ts'
import { type FilterName, filterNames } from './query.ts'

/** A filter as people read it, and the parameters that it consists of. */
export interface Filter {
  label: string
  names: readonly FilterName[]
  /** What is left of a list of values where only one goes. */
  rest?: string
}

/** The filters of an address. */
export function filtersOf(parameters: URLSearchParams): Filter[] {
  const value = (name: FilterName) => parameters.get(name) ?? ''
  const list = (name: FilterName) =>
    value(name)
      .split(/[\s,+]+/)
      .filter(Boolean)
  const filters: Filter[] = []
  for (const kind of list('media_type')) {
    const rest = list('media_type').filter((other) => other !== kind)
    filters.push({ label: text[kind as 'image'] ?? kind, names: ['media_type'], rest: rest.join(',') })
  }
  if (value('orientation'))
    filters.push({ label: text[value('orientation') as 'horizontal'] ?? value('orientation'), names: ['orientation'] })
  if (value('min_date')) filters.push({ label: text.since(day(value('min_date'))), names: ['min_date'] })
  if (value('max_date')) filters.push({ label: text.until(day(value('max_date'))), names: ['max_date'] })
  if (value('min_width') || value('min_height'))
    filters.push({ label: text.atLeast(Number(value('min_width') || value('min_height'))), names: ['min_width', 'min_height'] })
  if (value('resolution')) filters.push({ label: text.printSize(value('resolution').toUpperCase()), names: ['resolution'] })
  for (const tag of value('tags').split(',').filter(Boolean)) {
    const rest = value('tags')
      .split(',')
      .filter((other) => other && other !== tag)
    filters.push({ label: tag, names: ['tags'], rest: rest.join(',') })
  }
  if (value('folder_ids')) {
    const names = list('folder_ids').map((id) => tree.get(Number(id))?.name ?? id)
    filters.push({ label: text.inFolders(names.join(', ')), names: ['folder_ids'] })
  }
  if (value('expired')) filters.push({ label: text.expired, names: ['expired'] })
  if (value('exclude_expired_media')) filters.push({ label: text.notExpired, names: ['exclude_expired_media'] })
  if (value('min_expiration_date'))
    filters.push({ label: text.expiresFrom(day(value('min_expiration_date'))), names: ['min_expiration_date'] })
  if (value('max_expiration_date'))
    filters.push({ label: text.expiresUntil(day(value('max_expiration_date'))), names: ['max_expiration_date'] })
  return filters
}

/** Takes a filter away. */
export function removeFilter({ names, rest }: Filter): void {
  change(router.list.parameters, Object.fromEntries(names.map((name) => [name, rest ?? ''])))
}

/** Takes all filters away. Words stay. */
export function clearFilters(): void {
  change(router.list.parameters, Object.fromEntries(filterNames.map((name) => [name, ''])))
}

/** Shows the list with other filters. @param values empty ones are taken away */
export function change(parameters: URLSearchParams, values: Partial<Record<FilterName, string>>): void {
  const changed = { ...Object.fromEntries(parameters), ...values }
  const { route } = router.list
  router.go(addressOf(route.page === 'folder' ? `folder/${route.id}` : 'search', changed))
}
