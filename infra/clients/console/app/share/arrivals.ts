/** How often it is looked whether a file has arrived, in milliseconds, and how many times. */
const POLL = 2_000
const MOST_TRIES = 60

/** Shows files that were sent: several that are sent meanwhile at once. */
export class Arrivals {
  readonly #show: (id: number) => Promise<boolean>
  #awaited: number | undefined
  #isLooking = false

  /** @param show shows a file where it is imported; resolves to whether there is nothing left to be shown */
  constructor(show: (id: number) => Promise<boolean>) {
    this.#show = show
  }

  /** Awaits a file. Those that were sent before it are imported before it, or soon after. */
  async add(id: number): Promise<void> {
    this.#awaited = id
    if (this.#isLooking) return
    this.#isLooking = true
    for (let tries = 0; tries < MOST_TRIES && this.#awaited !== undefined; tries++) {
      await new Promise((resolve) => setTimeout(resolve, POLL))
      const asked: number = this.#awaited
      const isShown = await this.#show(asked)
      if (this.#awaited !== asked) tries = 0
      else if (isShown) this.#awaited = undefined
    }
    this.#isLooking = false
  }
}
