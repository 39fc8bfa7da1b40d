import { setTimeout as sleep } from 'node:timers/promises'
import { NotReady } from '../errors.ts'

/** A picture whose source is made by a job is looked for so many times, with a pause of so many milliseconds: eight seconds in all. */
const [LOOKS, PAUSE_MS] = [32, 250]

/**
 * Renders a picture as soon as its source is there. Files of formats that libvips doesn't decode are converted by a job, which begins when their
 * link appears. A page that shows the link at once gets its picture some seconds later: browsers don't repeat what fails.
 * @param render is repeated while it throws NotReady, so it must hold nothing in between
 * @param left once nobody waits for the picture any more
 * @throws NotReady when it takes longer, an AbortError once nobody waits, and whatever else `render` throws
 */
export async function untilPrepared<Answer>(render: () => Promise<Answer>, left?: AbortSignal): Promise<Answer> {
  for (let look = 1; ; look++) {
    try {
      return await render()
    } catch (error) {
      if (!(error instanceof NotReady) || look === LOOKS) throw error
    }
    await sleep(PAUSE_MS, undefined, left && { signal: left })
  }
}
