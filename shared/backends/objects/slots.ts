/** Runs work at most so many at a time. */
export class Slots {
  readonly #limit: number
  readonly #running = new Set<Promise<void>>()
  #failure: { reason: unknown } | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Starts work as soon as a slot is free, and doesn't wait for its end. @throws the first failure of work that was started before */
  async run(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running)
    this.check()
    const running = work()
      .catch((reason: unknown) => {
        this.#failure ??= { reason }
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Resolves when nothing runs any more, failed or not. */
  async ended(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** @throws the first failure */
  check(): void {
    if (this.#failure) throw this.#failure.reason
  }
}
