import type { Clock } from './port.ts'

/** A time limit for a scope: `using limit = timeLimit(clock, 5_000)`. Its signal is aborted when the time is over. */
export function timeLimit(clock: Clock, milliseconds: number): Disposable & { signal: AbortSignal } {
  const [late, ended] = [new AbortController(), new AbortController()]
  clock.sleep(milliseconds, { signal: ended.signal }).then(
    () => late.abort(new DOMException('The time is over.', 'TimeoutError')),
    () => undefined,
  )
  return { signal: late.signal, [Symbol.dispose]: () => ended.abort() }
}
