import { holds } from './condition.ts'
import { toSteps } from './embedded-step.ts'
import {
  type Changes,
  type Condition,
  ConditionFailed,
  type Item,
  type Key,
  type Operations,
  type Page,
  type Query,
  type Table,
  WriteConflict,
} from './port.ts'
import { addressOf, checkTransaction, uniqueKeys } from './rules.ts'

/** Others changed what a deferred transaction had read, so the caller starts again. */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

/** A transaction that isn't committed yet, and the items as they will be. */
interface Waiting {
  operations: Operations
  after: ReadonlyMap<string, Item | undefined>
}

/**
 * A table that holds back its last transaction until `commit`, which adds operations to it. So a request's answer is committed with its effect.
 * Conditions are checked at once, and again by the commit. Reads see the pending writes. A further transaction, or a query of a partition with
 * pending writes, commits them as they are.
 */
export class DeferredTable implements Table {
  readonly origin: Table
  readonly settleTime: number
  readonly #fence: Operations
  #waiting: Waiting | undefined
  #afterwards: (() => unknown)[] = []

  /** @param fence further operations of every commit but the last. They stop a caller that has lost its claim */
  constructor(origin: Table, fence: Operations) {
    this.origin = origin
    this.settleTime = origin.settleTime
    this.#fence = fence
  }

  async get<T extends Key = Item>(key: Key, options?: { consistent?: boolean }): Promise<T | undefined> {
    const address = addressOf(key)
    if (!this.#waiting?.after.has(address)) return this.origin.get<T>(key, options)
    return copyOf(this.#waiting.after.get(address)) as unknown as T | undefined
  }

  async getMany<T extends Key = Item>(
    keys: readonly Key[],
    options?: { consistent?: boolean; attributes?: readonly string[] },
  ): Promise<T[]> {
    const after = this.#waiting?.after
    const stored = await this.origin.getMany<T>(after ? keys.filter((key) => !after.has(addressOf(key))) : keys, options)
    if (!after) return stored
    const known = new Map(stored.map((item) => [addressOf(item), item]))
    return uniqueKeys(keys).flatMap((key) => known.get(addressOf(key)) ?? (copyOf(after.get(addressOf(key))) as unknown as T) ?? [])
  }

  async query<T extends Key = Item>(query: Query): Promise<Page<T>> {
    const touched = query.index === undefined && this.#waiting && toSteps(this.#waiting.operations).some(({ key }) => key.pk === query.pk)
    if (touched) await this.#flush()
    return this.origin.query<T>(query)
  }

  async put(item: Item, condition?: Condition): Promise<void> {
    await this.transact({ put: { put: item, ...(condition && { if: condition }) } })
  }

  async update<T extends Key = Item>(key: Key, changes: Changes, condition?: Condition): Promise<T> {
    await this.transact({ update: { update: key, changes, ...(condition && { if: condition }) } })
    return (await this.get<T>(key))!
  }

  async delete(key: Key, condition?: Condition): Promise<void> {
    await this.transact({ delete: { delete: key, ...(condition && { if: condition }) } })
  }

  async transact(operations: Operations): Promise<void> {
    await this.#flush()
    checkTransaction(operations)
    const steps = toSteps(operations)
    const before = new Map((await this.origin.getMany<Item>(steps.map(({ key }) => key))).map((item) => [addressOf(item), item]))
    const failed = steps.filter(({ key, condition }) => !holds(condition, before.get(addressOf(key))))
    if (failed.length > 0) throw new ConditionFailed(failed.map(({ name }) => name))
    this.#waiting = { operations, after: new Map(steps.map(({ key, apply }) => [addressOf(key), apply(before.get(addressOf(key)))])) }
  }

  async afterCommit(work: () => unknown): Promise<void> {
    if (this.#waiting) this.#afterwards.push(work)
    else await work()
  }

  /**
   * Commits what waits, with further operations.
   * @throws Overtaken, ConditionFailed where one of the further operations failed
   */
  async commit(further: Operations): Promise<void> {
    const operations = { ...this.#waiting?.operations, ...further }
    // One transaction holds 100 operations and 4 MB: what is as large as that is committed by itself.
    if (this.#waiting && !isOneTransaction(operations)) await this.#flush()
    await this.#write({ ...this.#waiting?.operations, ...further }, further)
  }

  async #flush(): Promise<void> {
    if (!this.#waiting) return
    const { operations } = this.#waiting
    const fenced = { ...operations, ...this.#fence }
    await this.#write(isOneTransaction(fenced) ? fenced : operations, {})
  }

  async #write(operations: Operations, own: Operations): Promise<void> {
    this.#waiting = undefined
    const afterwards = this.#afterwards
    this.#afterwards = []
    try {
      await this.origin.transact(operations)
    } catch (error) {
      const isOwn = error instanceof ConditionFailed && Object.keys(own).some((name) => error.failed(name))
      if (isOwn || !(error instanceof ConditionFailed || error instanceof WriteConflict)) throw error
      throw new Overtaken('a deferred transaction came too late', { cause: error })
    }
    for (const work of afterwards) await work()
  }
}

const copyOf = (item: Item | undefined): Item | undefined => item && structuredClone(item)

function isOneTransaction(operations: Operations): boolean {
  try {
    checkTransaction(operations)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
