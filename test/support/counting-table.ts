import type { Key, Operations, Query, Table } from '../../shared/backends/table/port.ts'

/** How a table was used. */
export interface Count {
  /** Items read by key. */
  gets: number
  queries: number
  /** Items that queries returned. */
  queried: number
  /** Items written or deleted. */
  writes: number
  /** Calls that wrote. */
  commits: number
}

export const newCount = (): Count => ({ gets: 0, queries: 0, queried: 0, writes: 0, commits: 0 })

/** A table that counts its calls. @param count the counters to increase */
export function countingTable(table: Table, count: Count): Table {
  const written = (items: number) => {
    count.writes += items
    count.commits += 1
  }
  return {
    settleTime: table.settleTime,
    get(key, options) {
      count.gets += 1
      return table.get(key, options)
    },
    getMany(keys, options) {
      count.gets += keys.length
      return table.getMany(keys, options)
    },
    async query<T extends Key>(query: Query) {
      const page = await table.query<T>(query)
      count.queries += 1
      count.queried += page.items.length
      return page
    },
    put(item, condition) {
      written(1)
      return table.put(item, condition)
    },
    update(key, changes, condition) {
      written(1)
      return table.update(key, changes, condition)
    },
    delete(key, condition) {
      written(1)
      return table.delete(key, condition)
    },
    transact(operations: Operations) {
      written(Object.keys(operations).length)
      return table.transact(operations)
    },
  }
}
