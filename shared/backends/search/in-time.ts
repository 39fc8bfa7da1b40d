import { IndexBehind } from './port.ts'

/**
 * What is worked on, when it is there.
 * @param milliseconds that a caller waits for it. @throws IndexBehind with the message when they are over; the work goes on
 */
export async function inTime<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new IndexBehind(message)), Math.max(0, milliseconds))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
