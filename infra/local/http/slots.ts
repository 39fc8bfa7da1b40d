/** How much of something there is at a time: in all, and for one source (`networksOf`). */
export interface Shares {
  total: number
  perSource: number
}

/** Places that are taken and left, counted by who has them. */
export class Places {
  readonly #shares: Shares
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor(shares: Shares) {
    this.#shares = shares
  }

  /** Whether a source has all that one source may have. */
  hasShare(source: string): boolean {
    return (this.#taken.get(source) ?? 0) >= this.#shares.perSource
  }

  /** @returns whether there was a place */
  take(source: string): boolean {
    if (this.#total >= this.#shares.total || this.hasShare(source)) return false
    this.#total += 1
    this.#taken.set(source, (this.#taken.get(source) ?? 0) + 1)
    return true
  }

  /** Gives back a place that was taken. */
  leave(source: string): void {
    const left = (this.#taken.get(source) ?? 0) - 1
    this.#total -= 1
    if (left > 0) this.#taken.set(source, left)
    else this.#taken.delete(source)
  }
}
