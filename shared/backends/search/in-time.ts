import { setTimeout as pause } from 'node:timers/promises'
import { IndexBehind } from './port.ts'

/**
 * What is worked on, when it is there.
 * @param milliseconds that a caller waits for it. @throws IndexBehind with the message when they are over; the work goes on
 */
export async function inTime<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  const answered = new AbortController()
  const tooLong = async () => {
    await pause(Math.max(0, milliseconds), undefined, { signal: answered.signal })
    throw new IndexBehind(message)
  }
  try {
    return await Promise.race([work, tooLong()])
  } finally {
    answered.abort()
  }
}
