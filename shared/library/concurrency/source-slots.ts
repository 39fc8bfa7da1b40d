/** Limits of what may be in use at a time. */
export interface SlotLimits {
  total: number
  /** For one source (`networksOf`). */
  perSource: number
}

/** Counts what sources have in use, within limits. */
export class SourceSlots {
  readonly #limits: SlotLimits
  readonly #takenBy = new Map<string, number>()
  #taken = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Whether more than half of all slots are taken. */
  get isHalfTaken(): boolean {
    return this.#taken > this.#limits.total / 2
  }

  /** Whether a source has taken as many as one source may. */
  isFull(source: string): boolean {
    return (this.#takenBy.get(source) ?? 0) >= this.#limits.perSource
  }

  /** @returns whether there was a slot */
  take(source: string): boolean {
    if (this.#taken >= this.#limits.total || this.isFull(source)) return false
    this.#taken += 1
    this.#takenBy.set(source, (this.#takenBy.get(source) ?? 0) + 1)
    return true
  }

  /** Gives back a slot that the source took. */
  release(source: string): void {
    const left = (this.#takenBy.get(source) ?? 0) - 1
    this.#taken -= 1
    if (left > 0) this.#takenBy.set(source, left)
    else this.#takenBy.delete(source)
  }
}
