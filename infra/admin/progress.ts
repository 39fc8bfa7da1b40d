/** Milliseconds between lines. */
const PAUSE = 1_000

/**
 * Says on standard error how far a long command is: at once, then once a second at most. Whoever reads the answer on standard output sees none
 * of it.
 * @param what is counted: `items`
 */
export function progress(console: { error(line: string): void }, what: string, total: number): (done: number) => void {
  let next = 0
  return (done) => {
    const now = performance.now()
    if (now < next && done < total) return
    next = now + PAUSE
    console.error(`${done} of ${total} ${what}`)
  }
}
