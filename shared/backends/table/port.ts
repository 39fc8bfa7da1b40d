import type { IndexName } from './indexes.ts'

/**
 * The table port: one DynamoDB-shaped table that holds every record of the service.
 *
 * Semantics are DynamoDB's, and both adapters keep them exactly: items are addressed by partition key and sort
 * key, sort keys order by UTF-8 bytes, index reads may lag behind, writes are conditional, a transaction is all or
 * nothing. See test/backends/table/contract.ts for every promise made here.
 */

/**
 * What an attribute may hold: JSON, at most 32 levels deep. Attributes that are `undefined` are not stored. Numbers are IEEE doubles
 * between 1e-130 and 9.99e125 in magnitude, or 0. Strings are stored well-formed: a lone surrogate becomes U+FFFD.
 */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value | undefined }

/** Address of an item. Both parts are non-empty strings of at most 1,024 bytes (so are the attributes of an index). */
export type Key = {
  pk: string
  sk: string
}

/**
 * A stored item. Besides its own attributes an item may carry those of an index (see indexes.ts) and `ttl`, the UNIX
 * second after which it may disappear by itself (within two days on AWS: readers that care compare the time).
 */
export type Item = Key & { [attribute: string]: Value | undefined }

/** One test of an attribute. `atLeast` and `below` compare numbers or strings of the same type. */
export type Test =
  | { exists: boolean }
  | { equals: string | number | boolean | null }
  | { not: string | number | boolean | null }
  | { atLeast: number | string }
  | { below: number | string }

/**
 * The condition of a write: every named attribute passes its test. An attribute that the item (or the whole item)
 * lacks passes only `{exists: false}` and `{not: …}`. `{ pk: { exists: false } }` means: there is no such item yet.
 */
export type Condition = Readonly<Record<string, Test>>

/**
 * Changes to one item, at least one; creates the item when there is none. No attribute is named twice, key attributes can't be changed.
 * `undefined` in `set` leaves an attribute as it is. `add` takes whole numbers and counts from 0; the attribute must be a number.
 */
export interface Changes {
  set?: Readonly<Record<string, Value | undefined>>
  remove?: readonly string[]
  add?: Readonly<Record<string, number>>
}

/** One step of a transaction. */
export type Operation =
  | { put: Item; if?: Condition }
  | { update: Key; changes: Changes; if?: Condition }
  | { delete: Key; if?: Condition }
  | { check: Key; if: Condition }

/**
 * The steps of a transaction, each under a name by which `ConditionFailed` tells of it. Steps on each of a list have names with a prefix
 * (`folder 17`), so that no step that is spread in overwrites another.
 */
export type Operations = { readonly [name: string]: Operation }

export interface Query {
  /** Value of the partition key: `pk`, or the index's partition attribute. */
  pk: string
  /** Which index to read; the table itself when absent. An index with `projection: 'keys'` yields only key attributes. */
  index?: IndexName
  /** Range of the sort key, bounds included; empty when `from` is past `to`. All of the partition when absent. */
  sk?: { beginsWith: string } | { from?: string; to?: string }
  /** At most this many items in this page (a page also ends at 1 MB of data). */
  limit?: number
  /** The `cursor` of an earlier page. Opaque, bound to the same query. */
  cursor?: string
  descending?: boolean
  /** Reads what was committed before the call. Not possible on an index. Default false. */
  consistent?: boolean
}

export interface Page<T> {
  items: T[]
  /** Present when there may be more. */
  cursor?: string
}

/** Reading half of the table. Everything may throw `TableUnavailable`, and `TypeError` for invalid input. Type parameters state what the caller knows is stored there. */
export interface TableReader {
  /** Consistent by default, because nearly every caller decides by the result. */
  get<T extends Key = Item>(key: Key, options?: { consistent?: boolean }): Promise<T | undefined>
  /**
   * Any number of keys; missing ones are left out, order follows the keys asked for. A key asked for twice comes once. Consistent by default.
   * @param options.attributes what to answer of each item besides its key; all of it when absent. That makes large items cheap to read on one
   *   machine; DynamoDB counts the same read units
   */
  getMany<T extends Key = Item>(keys: readonly Key[], options?: { consistent?: boolean; attributes?: readonly string[] }): Promise<T[]>
  /** One page of a partition, in order of the sort key; on an index, items with the same sort key come in any order. @throws InvalidCursor */
  query<T extends Key = Item>(query: Query): Promise<Page<T>>
  /**
   * Longest delay in milliseconds between a change's commit or `changedAt` and its appearance in an index. Readers of a feed ordered by time read
   * this much of it again, because a late change appears behind their cursor.
   */
  readonly settleTime: number
  /** The table to which a deferring table writes. Caches of committed items belong to that one. */
  readonly origin?: TableReader
}

/** The whole table. Every write throws `ConditionFailed`, `ItemTooLarge`, `WriteConflict` or `TableUnavailable`. */
export interface Table extends TableReader {
  readonly origin?: Table
  /** Writes the whole item over whatever was there. */
  put(item: Item, condition?: Condition): Promise<void>
  /** @returns the item as it is after the change */
  update<T extends Key = Item>(key: Key, changes: Changes, condition?: Condition): Promise<T>
  /** Deleting what isn't there is fine, unless the condition says otherwise. */
  delete(key: Key, condition?: Condition): Promise<void>
  /** 1 to 100 operations on distinct items, 4 MB in all: everything happens or nothing. */
  transact(operations: Operations): Promise<void>
  /** A table that defers writes does the work when all earlier writes are committed. */
  afterCommit?(work: () => unknown): Promise<void>
}

/**
 * Reads everything there is. For the operator's commands only: no function may scan, because nothing bounds what that costs.
 */
export interface TableScanner {
  /**
   * One page of all items, at most 1 MB of data, as committed before the call. Partitions come in any order, the items of one together and in
   * order of the sort key (a page may end between them). An item that isn't written meanwhile comes exactly once; one that is may come as it was before.
   * @param page.limit at most this many items in the page
   * @param page.cursor where an earlier page ended
   * @throws InvalidCursor, TableUnavailable
   */
  scan(page?: { limit?: number; cursor?: string }): Promise<Page<Item>>
}

/**
 * One committed change of one item, as the change stream tells it. Changes of one item arrive in order, at least once.
 * A write that leaves an item as it was is no change. The type parameter states what the reader knows is stored there.
 */
export interface Change<T extends Key = Item> {
  /** Identifies the change; the same on redelivery. */
  id: string
  key: Key
  before?: T
  after?: T
  /** True when time to live removed the item. */
  expired?: boolean
}

/** Reads the change stream; the embedded server's dispatcher and the contract suite use it (on AWS an event source mapping does). */
export interface ChangeReader {
  /** @param position what an earlier call returned; from the oldest kept change when absent */
  readChanges(position: string | undefined, limit: number): Promise<{ changes: Change[]; position: string | undefined }>
}

/** Largest item, in bytes as DynamoDB counts them: UTF-8 names and values. */
export const MAX_ITEM_BYTES = 400 * 1024

/** A cursor that was not made for this query. */
export class InvalidCursor extends Error {
  override name = 'InvalidCursor'
}

/** A condition did not hold; nothing was written. */
export class ConditionFailed extends Error {
  override name = 'ConditionFailed'
  readonly #failed: readonly string[]

  /** @param failed names of the operations whose conditions failed; a single write is called `put`, `update` or `delete` */
  constructor(failed: readonly string[]) {
    super(`condition failed: ${failed.join(', ')}`)
    this.#failed = failed
  }

  /** Whether the condition of the operation with this name failed. */
  failed(name: string): boolean {
    return this.#failed.includes(name)
  }
}

/** Another transaction touched the same items at the same time, again and again; nothing was written. */
export class WriteConflict extends Error {
  override name = 'WriteConflict'
}

/** An item would be larger than `MAX_ITEM_BYTES`; nothing was written. */
export class ItemTooLarge extends Error {
  override name = 'ItemTooLarge'
}

/** The table throttled, timed out or could not be reached, after retries. A write may or may not have happened. */
export class TableUnavailable extends Error {
  override name = 'TableUnavailable'
}
