/** What a smoke test has made, and how each is removed again. */
export class Cleanup {
  readonly #made: { what: string; remove: () => Promise<void> }[] = []

  /** @param what it is, for an operator who has to remove it by hand */
  add(what: string, remove: () => Promise<void>): void {
    this.#made.push({ what, remove })
  }

  /** Removes everything, the last first; what can't be removed keeps nothing else from it. @returns what stays, with why */
  async run(): Promise<string[]> {
    const stays: string[] = []
    for (const { what, remove } of this.#made.splice(0).reverse()) {
      await remove().catch((error: Error) => stays.push(`${what}: ${error.message}`))
    }
    return stays
  }
}
