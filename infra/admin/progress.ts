/** Milliseconds between lines. */
const PAUSE = 1_000

/**
 * Does long work, and reports its progress on standard error: at once, then at most once a second, and at its end. Standard output stays clean.
 * @param lineOf the line of a state
 * @param work receives a function to report its states
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
