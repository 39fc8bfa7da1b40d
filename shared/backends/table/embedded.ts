import type { StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { holds } from './condition.ts'
import { EmbeddedChanges } from './embedded-changes.ts'
import { available, BUSY_TIMEOUT, rowOf, TableDatabase, upsertItem } from './embedded-database.ts'
import { queryPage } from './embedded-query.ts'
import { scanPage } from './embedded-scan.ts'
import { toSteps } from './embedded-step.ts'
import {
  type Change,
  type ChangeReader,
  type Changes,
  type Condition,
  ConditionFailed,
  type Item,
  type Key,
  type Operations,
  type Page,
  type Query,
  type Table,
  type TableScanner,
} from './port.ts'
import { checkQuery, checkTransaction, uniqueKeys, validKey } from './rules.ts'
import { inSlices, ROWS_AT_ONCE } from './slices.ts'

/** The table in one SQLite file, with its change log. Several processes may have it open at once. */
export interface EmbeddedTable extends Table, TableScanner, ChangeReader {
  /** The position of a consumer of changes; undefined before it first saved one. */
  position(consumer: string): string | undefined
  savePosition(consumer: string, position: string): Promise<void>
  /** Deletes the changes that all of these consumers (at least one) have passed, in slices with other work between. @returns how many */
  trimChanges(consumers: readonly [string, ...string[]]): Promise<number>
  /** A number that grows when another process (or another opening of the file) has committed; costs microseconds to ask. */
  dataVersion(): number
  /** Calls the listener after each commit of this process that changed items. @returns a function that ends this */
  onCommit(listener: () => void): () => void
  /**
   * Removes items whose `ttl` has passed, with changes marked as expired, in slices with other work between.
   * @param now UNIX milliseconds. @returns how many
   */
  expire(now: number): Promise<number>
  close(): void
}

/** Opens the table in the file at `path`, making the file if there is none. @throws Error when it can't be opened */
export function openEmbeddedTable(path: string): EmbeddedTable {
  return new SqliteTable(new TableDatabase(path))
}

/** Items that are read by their keys before other work has its turn. */
const KEYS_AT_ONCE = 100
/** Milliseconds of consecutive calls after which the event loop has its turn. */
const LONGEST_WITHOUT_TURN = 5

class SqliteTable implements EmbeddedTable {
  /** Indexes never lag. But a request that waits for the lock commits later than its `changedAt` says. */
  readonly settleTime = BUSY_TIMEOUT + 2_000
  readonly #database: TableDatabase
  readonly #changes: EmbeddedChanges
  readonly #bodyOf: StatementSync
  readonly #listeners = new Set<() => void>()
  #lastTurn = 0

  constructor(database: TableDatabase) {
    this.#database = database
    this.#changes = new EmbeddedChanges(database)
    this.#bodyOf = database.statement('SELECT body FROM items WHERE pk = ? AND sk = ?')
    // A read takes a fifth less without an object for the row.
    this.#bodyOf.setReturnArrays(true)
  }

  async get<T extends Key = Item>(key: Key): Promise<T | undefined> {
    await this.#turn()
    return available(() => this.#item(validKey(key)) as T | undefined)
  }

  async getMany<T extends Key = Item>(keys: readonly Key[], { attributes }: { attributes?: readonly string[] } = {}): Promise<T[]> {
    const wanted = available(() => uniqueKeys(keys))
    const found: T[] = []
    const read = attributes ? this.#partsOf(attributes) : (key: Key) => this.#item(key)
    for (let from = 0; from < wanted.length; from += KEYS_AT_ONCE) {
      await this.#turn()
      for (const item of available(() => wanted.slice(from, from + KEYS_AT_ONCE).map(read))) if (item) found.push(item as Key as T)
    }
    return found
  }

  async query<T extends Key = Item>(query: Query): Promise<Page<T>> {
    await this.#turn()
    return available(() => {
      checkQuery(query)
      return queryPage(this.#database, query) as Page<Key> as Page<T>
    })
  }

  async scan(page?: { limit?: number; cursor?: string }): Promise<Page<Item>> {
    await this.#turn()
    return available(() => scanPage(this.#database, page))
  }

  async put(item: Item, condition?: Condition): Promise<void> {
    await this.#write({ put: { put: item, if: condition } })
  }

  async update<T extends Key = Item>(key: Key, changes: Changes, condition?: Condition): Promise<T> {
    const [after] = await this.#write({ update: { update: key, changes, if: condition } })
    return after as Key as T
  }

  async delete(key: Key, condition?: Condition): Promise<void> {
    await this.#write({ delete: { delete: key, if: condition } })
  }

  async transact(operations: Operations): Promise<void> {
    checkTransaction(operations)
    await this.#write(operations)
  }

  async readChanges(position: string | undefined, limit: number): Promise<{ changes: Change[]; position: string | undefined }> {
    await this.#turn()
    return available(() => this.#changes.read(position, limit))
  }

  position(consumer: string): string | undefined {
    return available(() => this.#changes.position(consumer))
  }

  savePosition(consumer: string, position: string): Promise<void> {
    return this.#database.write(() => this.#changes.savePosition(consumer, position))
  }

  trimChanges(consumers: readonly [string, ...string[]]): Promise<number> {
    return inSlices(() => this.#database.write(() => this.#changes.trim(consumers, ROWS_AT_ONCE)))
  }

  dataVersion(): number {
    return this.#database.statement('PRAGMA data_version').get()!.data_version as number
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  expire(now: number): Promise<number> {
    const expireSome = () => this.#expire(now, ROWS_AT_ONCE)
    return inSlices(() => this.#database.write(expireSome, (count) => count > 0 && this.#notify()))
  }

  /** @returns how many items it removed, at most `limit` */
  #expire(now: number, limit: number): number {
    const rows = this.#database
      .statement('DELETE FROM items WHERE id IN (SELECT id FROM items WHERE ttl < ? ORDER BY ttl LIMIT ?) RETURNING pk, sk, body')
      .all(now / 1000, limit) as { pk: string; sk: string; body: string }[]
    for (const { pk, sk, body } of rows) this.#changes.record({ pk, sk }, body, undefined, true)
    return rows.length
  }

  close(): void {
    this.#listeners.clear()
    this.#database.close()
  }

  /** SQLite answers synchronously: without this, a loop of awaited calls would keep the process from answering requests. */
  async #turn(): Promise<void> {
    if (performance.now() - this.#lastTurn >= LONGEST_WITHOUT_TURN) {
      await setImmediate()
      this.#lastTurn = performance.now()
    }
    this.#database.holdReadLock()
  }

  #body(key: Key): string | undefined {
    return this.#bodyOf.get(key.pk, key.sk)?.[0] as string | undefined
  }

  #item(key: Key): Item | undefined {
    const body = this.#body(key)
    return body === undefined ? undefined : (JSON.parse(body) as Item)
  }

  /** Some attributes of an item, without parsing the rest here: SQLite finds them in a fifth of the time. */
  /** Reads some attributes of an item. */
  #partsOf(attributes: readonly string[]): (key: Key) => Item | undefined {
    const columns = attributes.map((attribute, n) => `body -> '$."${attribute}"' AS "${n}"`)
    const statement = this.#database.statement(`SELECT ${['pk', ...columns]} FROM items WHERE pk = ? AND sk = ?`)
    return (key) => {
      const row = statement.get(key.pk, key.sk)
      if (!row) return undefined
      const item: Item = { ...key }
      attributes.forEach((attribute, n) => {
        if (row[n] !== null) item[attribute] = JSON.parse(row[n] as string)
      })
      return item
    }
  }

  /** Does all of the operations or none. @returns the items as they are afterwards, in the order of the operations */
  async #write(operations: Operations): Promise<(Item | undefined)[]> {
    const steps = toSteps(operations)
    const work = () => {
      const befores = steps.map(({ key }) => this.#body(key))
      const items = befores.map((body) => (body === undefined ? undefined : (JSON.parse(body) as Item)))
      const failed = steps.filter(({ condition }, position) => !holds(condition, items[position]))
      if (failed.length > 0) throw new ConditionFailed(failed.map(({ name }) => name))
      const afters = steps.map(({ apply }, position) => apply(items[position]))
      const changed = steps.map(({ key }, position) => this.#replace(key, befores[position], afters[position]))
      return { afters, changed: changed.includes(true) }
    }
    const { afters } = await this.#database.write(work, ({ changed }) => changed && this.#notify())
    return afters
  }

  /** @returns whether that changed anything */
  #replace(key: Key, before: string | undefined, after: Item | undefined): boolean {
    const body = after && JSON.stringify(after)
    if (body === before) return false
    if (after && body) this.#database.statement(upsertItem).run(key.pk, key.sk, ...rowOf(after, body))
    else this.#database.statement('DELETE FROM items WHERE pk = ? AND sk = ?').run(key.pk, key.sk)
    this.#changes.record(key, before, body)
    return true
  }

  /** Called before those who wrote are answered, so that listeners know of what others can ask for. */
  #notify(): void {
    // Later: an error of a listener must not look like a failed write.
    for (const listener of this.#listeners) queueMicrotask(listener)
  }
}
