import { wait } from './retries.ts'

/** Milliseconds between two questions how far some work is: fewer at first, because most of it is short. */
const FIRST = 200
const LONGEST = 5_000

/** Asks until there is an answer. @throws the signal's reason */
export async function untilDone<Done>(ask: () => Promise<Done | undefined>, signal: AbortSignal | undefined): Promise<Done> {
  for (let pause = FIRST; ; pause = Math.min(LONGEST, pause * 1.5)) {
    const done = await ask()
    if (done !== undefined) return done
    await wait(pause, signal)
  }
}
