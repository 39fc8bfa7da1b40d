/** A cache that evicts the least recently used values when it is full. */
export class RecentlyUsed<Value> {
  readonly #capacity: number
  readonly #weigh: (value: Value, key: string) => number
  readonly #kept = new Map<string, Value>()
  #weight = 0

  /** @param weigh how much of `capacity` a value takes, including its key if that may be long */
  constructor(capacity: number, weigh: (value: Value, key: string) => number) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  get(key: string): Value | undefined {
    const value = this.#kept.get(key)
    if (value === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, value)
    return value
  }

  /** Sets a value. It stays at least until the next one is set. */
  set(key: string, value: Value): void {
    this.#forget(key)
    this.#kept.set(key, value)
    this.#weight += this.#weigh(value, key)
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#capacity || oldest === key) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const value = this.#kept.get(key)
    if (value === undefined) return
    this.#kept.delete(key)
    this.#weight -= this.#weigh(value, key)
  }
}
