import type { Item, Operations } from '../../shared/backends/table/port.ts'

/** The operations of a transaction that put these items. */
export function puts(items: readonly Item[]): Operations {
  return Object.fromEntries(items.map((item) => [`${item.pk} ${item.sk}`, { put: item }]))
}
