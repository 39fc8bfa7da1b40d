import type { Clock } from '../../backends/clock/port.ts'

/** Does something again and again, so many milliseconds after it was last done, until the end of the scope (`await using`). It must not fail. */
export function repeating(clock: Clock, milliseconds: number, act: () => unknown): AsyncDisposable {
  const ended = new AbortController()
  const { signal } = ended
  /** It ends early when the scope does. */
  const pause = () => clock.sleep(milliseconds, { signal }).catch(() => undefined)
  async function repeat(): Promise<void> {
    for (await pause(); !signal.aborted; await pause()) await act()
  }
  const repeated = repeat()
  return {
    async [Symbol.asyncDispose]() {
      ended.abort()
      await repeated
    },
  }
}
