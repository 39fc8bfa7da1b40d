/** Milliseconds between lines. */
const PAUSE = 1_000

/**
 * Does a long work, and tells on standard error how far it is: at once, then once a second at most, and at its end. Whoever reads the answer on
 * standard output sees none of it.
 * @param lineOf what is told of a state
 * @param work is given what it reports its states to
 */
export async function withProgress<State, Result>(
  console: { error(line: string): void },
  lineOf: (state: State) => string,
  work: (report: (state: State) => void) => Promise<Result>,
): Promise<Result> {
  let next = 0
  let pending: string | undefined
  try {
    return await work((state) => {
      const now = performance.now()
      pending = lineOf(state)
      if (now < next) return
      next = now + PAUSE
      console.error(pending)
      pending = undefined
    })
  } finally {
    if (pending !== undefined) console.error(pending)
  }
}
