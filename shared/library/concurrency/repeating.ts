import type { Clock } from '../../backends/clock/port.ts'

/** Repeats an action until the scope ends (`await using`), with a pause of so many milliseconds before each. `act` must not throw. */
export function repeating(clock: Clock, milliseconds: number, act: () => unknown): AsyncDisposable {
  const ended = new AbortController()
  const { signal } = ended
  /** The pause ends early when the scope does. */
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
