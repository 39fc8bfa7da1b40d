/** Milliseconds between lines. */
const PAUSE = 1_000

/**
 * Tells on standard error how far a long command is: at once, then once a second at most. Whoever reads the answer on standard output sees none
 * of it.
 * @param lineOf what is told of a state
 */
export function progress<State>(console: { error(line: string): void }, lineOf: (state: State) => string): (state: State) => void {
  let next = 0
  return (state) => {
    const now = performance.now()
    if (now < next) return
    next = now + PAUSE
    console.error(lineOf(state))
  }
}
