import { perObject } from '../../per-object.ts'
import type { IndexFile } from './index-file.ts'

/** Cached orders of folders (LRU). Callers reuse an order until a folder changes. */
const KEPT_ORDERS = 4

/**
 * The orders of folders of an index, each a table `(folder, rank)`: folders of one name have the same rank. An order is identified by its array,
 * not by its contents.
 */
class FolderRanks {
  readonly #index: IndexFile
  /** By the numbers of their tables, the most recently used last. */
  readonly #tables = new Map<number, readonly number[]>()

  constructor(index: IndexFile) {
    this.#index = index
  }

  /** The name of an order's table. Must be called outside of transactions: a rollback would empty it. @param order as in `SearchQuery` */
  table(order: readonly number[]): string {
    const known = this.#tables.entries().find(([, kept]) => kept === order)?.[0]
    const number = known ?? (this.#tables.size < KEPT_ORDERS ? this.#tables.size : this.#tables.keys().next().value!)
    this.#tables.delete(number)
    if (known === undefined) this.#fill(number, order)
    this.#tables.set(number, order)
    return tableName(number)
  }

  #fill(number: number, order: readonly number[]): void {
    this.#index.run(`CREATE TEMP TABLE IF NOT EXISTS ranks_${number} (folder INTEGER PRIMARY KEY, rank INTEGER NOT NULL)`)
    this.#index.run(`DELETE FROM ${tableName(number)}`)
    let rank = 0
    const ranks = order.flatMap((folder) => {
      if (folder === 0) rank++
      return folder === 0 ? [] : [[folder, rank]]
    })
    this.#index.run(`INSERT OR IGNORE INTO ${tableName(number)} SELECT value ->> 0, value ->> 1 FROM json_each(?)`, JSON.stringify(ranks))
  }
}

const tableName = (number: number): string => `temp.ranks_${number}`

/** The orders of folders of an index, as long as its file is open. */
export const folderRanksOf = perObject((index: IndexFile) => new FolderRanks(index))
