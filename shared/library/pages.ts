import type { ObjectEntry, ObjectReader } from '../backends/objects/port.ts'
import type { Item, Key, Query, TableReader, TableScanner } from '../backends/table/port.ts'

/** All pages of a query, item by item. */
export async function* everyItem<T extends Key = Item>(table: TableReader, query: Omit<Query, 'cursor'>): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const page = await table.query<T>({ ...query, cursor })
    yield* page.items
    cursor = page.cursor
  } while (cursor)
}

/** All objects whose key starts with a prefix, in order of key bytes. */
export async function* everyObject(objects: Pick<ObjectReader, 'list'>, prefix: string): AsyncGenerator<ObjectEntry> {
  let cursor: string | undefined
  do {
    const page = await objects.list(prefix, { cursor })
    yield* page.objects
    cursor = page.cursor
  } while (cursor)
}

/** All items of the table. For the operator's commands. */
export async function* everyScanned(scanner: TableScanner): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page = await scanner.scan({ cursor })
    yield* page.items
    cursor = page.cursor
  } while (cursor)
}
