/** How often the service is asked how far a job is, in milliseconds: sooner at first, because most jobs are short. */
const FIRST = 250
const LONGEST = 2_000

/**
 * Asks again and again until an answer is the last one.
 * @param ask resolves to undefined where the job goes on
 */
export async function untilDone<Done>(ask: () => Promise<Done | undefined>): Promise<Done> {
  for (let wait = FIRST; ; wait = Math.min(LONGEST, wait * 2)) {
    const done = await ask()
    if (done !== undefined) return done
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}
