/** Everything that a smoke test has made, and how it is removed. */
export class Cleanup {
  readonly #made: { what: string; remove: () => Promise<void> }[] = []

  /** @param what names it for an operator who has to remove it by hand */
  add(what: string, remove: () => Promise<void>): void {
    this.#made.push({ what, remove })
  }

  /** Removes everything, the last first, also after a failure. @returns what could not be removed, with the reason */
  async run(): Promise<string[]> {
    const stays: string[] = []
    for (const { what, remove } of this.#made.splice(0).reverse()) {
      await remove().catch((error: Error) => stays.push(`${what}: ${error.message}`))
    }
    return stays
  }
}
