import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two questions how far a job is: sooner at first, because most are short. */
const FIRST = 250
const LONGEST = 5_000

/** Asks until there is an answer. @throws the signal's reason */
export async function untilDone<Done>(ask: () => Promise<Done | undefined>, signal: AbortSignal): Promise<Done> {
  for (let pause = FIRST; ; pause = Math.min(LONGEST, pause * 1.5)) {
    const done = await ask()
    if (done !== undefined) return done
    await sleep(pause, undefined, { signal })
  }
}
