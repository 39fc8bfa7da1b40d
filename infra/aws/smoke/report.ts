/** Ends a test after a failed step. The report has told the failure. */
export class StepFailed extends Error {
  override name = 'StepFailed'
}

/** Prints the steps of a smoke test, each when it is done. */
export class Report {
  readonly #say: (line: string) => void
  #failures = 0

  constructor(say: (line: string) => void) {
    this.#say = say
  }

  get failures(): number {
    return this.#failures
  }

  /** Counts a failure that was printed elsewhere. */
  failed(): void {
    this.#failures++
  }

  /** A step that later steps need. @throws StepFailed when it fails */
  async step<T>(what: string, act: () => Promise<T>): Promise<T> {
    const started = performance.now()
    try {
      const result = await act()
      this.#say(`ok      ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
      return result
    } catch (error) {
      this.#failures++
      this.#say(`FAILED  ${what}: ${reasonOf(error)}`)
      throw new StepFailed(what, { cause: error })
    }
  }

  /** A step that no other step needs: the test goes on when it fails. */
  async check(what: string, act: () => Promise<void>): Promise<void> {
    await this.step(what, act).catch((error) => {
      if (!(error instanceof StepFailed)) throw error
    })
  }
}

/** An error's message with its cause, which `fetch` hides. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
