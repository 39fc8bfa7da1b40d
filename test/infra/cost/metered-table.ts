import { type IndexSchema, indexes } from '../../../shared/backends/table/indexes.ts'
import type { Changes, Item, Key, Operation, Operations, Query, Table } from '../../../shared/backends/table/port.ts'
import { bytesOf, keyOf } from '../../../shared/backends/table/rules.ts'

/** Read and write units of DynamoDB. */
export interface TableMeter {
  readUnits: number
  writeUnits: number
}

/** A unit of reading is 4 KB, eventually consistent half of it; one of writing is 1 KB. Source: DynamoDB Developer Guide, "Read and write operations". */
const READ_BYTES = 4096
const WRITE_BYTES = 1024
/** Each item of a transaction is written twice. */
const TRANSACTED = 2

const readUnits = (bytes: number, consistent: boolean) => Math.max(1, Math.ceil(bytes / READ_BYTES)) * (consistent ? 1 : 0.5)

/** A table that adds up the units that DynamoDB would bill for its calls. */
export function meteredTable(table: Table, meter: TableMeter): Table {
  const read = (items: readonly object[], consistent: boolean) => {
    meter.readUnits += readUnits(
      items.reduce((bytes, item) => bytes + bytesOf(item as Item), 0),
      consistent,
    )
  }
  /** Does a write, and bills what it changed. A write that fails is billed as one that changes nothing. */
  async function written<T>(keys: readonly Key[], write: () => Promise<T>, factor = 1): Promise<T> {
    const before = await Promise.all(keys.map((key) => table.get(key)))
    try {
      return await write()
    } finally {
      const after = await Promise.all(keys.map((key) => table.get(key)))
      for (const n of keys.keys()) meter.writeUnits += factor * writeUnits(before[n], after[n])
    }
  }
  return {
    settleTime: table.settleTime,
    async get<T extends Key = Item>(key: Key, options: { consistent?: boolean } = {}) {
      const item = await table.get<T>(key, options)
      read(item ? [item] : [], options.consistent ?? true)
      return item
    },
    async getMany<T extends Key = Item>(keys: readonly Key[], options: { consistent?: boolean; attributes?: readonly string[] } = {}) {
      const wanted = await Promise.all(keys.map((key) => table.get(key)))
      for (const item of wanted) read(item ? [item] : [], options.consistent ?? true)
      return table.getMany<T>(keys, options)
    },
    async query<T extends Key = Item>(query: Query) {
      const page = await table.query<T>(query)
      read(page.items, query.consistent ?? false)
      return page
    },
    put: (item, condition) => written([item], () => table.put(item, condition)),
    update: <T extends Key = Item>(key: Key, changes: Changes, condition?: Parameters<Table['update']>[2]) =>
      written([key], () => table.update<T>(key, changes, condition)),
    delete: (key, condition) => written([key], () => table.delete(key, condition)),
    transact: (operations: Operations) =>
      written(
        Object.values(operations).map((operation: Operation) => keyOf(operation)),
        () => table.transact(operations),
        TRANSACTED,
      ),
  }
}

/** The larger of both states, and for each index what leaves it and what comes into it. Indexes hold keys alone, less than a unit. */
function writeUnits(before: Item | undefined, after: Item | undefined): number {
  const ofItem = Math.max(1, Math.ceil(Math.max(bytesOf(before ?? {}), bytesOf(after ?? {})) / WRITE_BYTES))
  const entries = Object.values(indexes).map(({ pk, sk }: IndexSchema) => {
    const [former, later] = [before, after].map((item) => (item?.[pk] && item[sk] ? `${item[pk]} ${item[sk]}` : undefined))
    return former === later ? 0 : Number(former !== undefined) + Number(later !== undefined)
  })
  return entries.reduce((sum, units) => sum + units, ofItem)
}
