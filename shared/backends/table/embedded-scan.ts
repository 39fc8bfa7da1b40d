import { decodeScanCursor, encodeScanCursor } from './cursor.ts'
import { PAGE_BYTES, type TableDatabase } from './embedded-database.ts'
import type { Item, Page } from './port.ts'
import { checkLimit } from './rules.ts'

/** Reads one page of all items, in order of their keys. */
export function scanPage(database: TableDatabase, { limit, cursor }: { limit?: number; cursor?: string } = {}): Page<Item> {
  checkLimit(limit)
  const { pk, sk } = cursor === undefined ? { pk: '', sk: '' } : decodeScanCursor(cursor)
  const rows = database
    .statement('SELECT pk, sk, body FROM items INDEXED BY items_key WHERE (pk, sk) > (?, ?) ORDER BY pk, sk LIMIT ?')
    .iterate(pk, sk, limit ?? -1)
  const items: Item[] = []
  let bytes = 0
  for (const row of rows as Iterable<{ pk: string; sk: string; body: string }>) {
    items.push(JSON.parse(row.body))
    bytes += row.body.length
    if (bytes >= PAGE_BYTES || items.length === limit) return { items, cursor: encodeScanCursor(row) }
  }
  return { items }
}
