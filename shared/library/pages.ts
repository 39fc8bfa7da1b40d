import type { Item, Key, Query, TableReader } from '../backends/table/port.ts'

/** All pages of a query, item by item. */
export async function* everyItem<T extends Key = Item>(table: TableReader, query: Omit<Query, 'cursor'>): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const page = await table.query<T>({ ...query, cursor })
    yield* page.items
    cursor = page.cursor
  } while (cursor)
}
