import { jitteredBackoff } from '../../../shared/backoff.ts'

/** Tries of a request, if the caller wants no other number. */
export const TRIES = 5
/** The same of what belongs to a transfer: with the pauses below a network may be gone for half a minute. */
export const PATIENT_TRIES = 15
const PAUSES = { first: 1_000, longest: 10_000 }
/** Seconds. A service that asks for more is not waited for. */
const LONGEST_RETRY_AFTER = 60

const passing = [429, 502, 503, 504]

/** The part of an answer that decides whether another try may succeed. */
export interface Answered {
  status: number
  retryAfter: string | null
}

/**
 * Seconds to wait at least before another try; undefined where none is of use.
 * @param tries how many there were. Where the answer to an earlier one was lost, 409 with `Retry-After` says that it still runs.
 */
export function retryAfter({ status, retryAfter }: Answered, tries: number): number | undefined {
  const seconds = secondsOf(retryAfter)
  const passes = passing.includes(status) || (status === 409 && retryAfter !== null && tries > 1)
  return passes && seconds <= LONGEST_RETRY_AFTER ? seconds : undefined
}

/** The header has seconds or a date. */
function secondsOf(header: string | null): number {
  if (header === null) return 0
  const seconds = Number(header)
  return Math.max(0, Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 || 0 : seconds)
}

/**
 * Waits before another try: a random time (full jitter), and what the service asks for.
 * @param tries that failed so far
 * @param atLeast seconds
 * @param waiting how it waits, by the machine's clock if nothing else is said
 * @throws the signal's reason
 */
export function pause(tries: number, atLeast: number, signal: AbortSignal | null | undefined, waiting = wait): Promise<void> {
  return waiting(atLeast * 1000 + jitteredBackoff(tries, PAUSES), signal)
}

/** @throws the signal's reason */
export async function wait(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  signal?.throwIfAborted()
  let end = () => {}
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal?.addEventListener('abort', end, { once: true })
  })
  signal?.removeEventListener('abort', end)
  signal?.throwIfAborted()
}

/**
 * `fetch` that tries again. Requests that change something carry an `Idempotency-Key`, so that the service does once what it is asked twice.
 * The answer is read to its end: a connection that breaks in the middle is one more try.
 */
export function retryingFetch(tries: number, waiting = wait): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET' && !/\/(session|authenticate\/\w+)$/.test(new URL(request.url).pathname))
      request.headers.set('Idempotency-Key', randomKey())
    for (let tried = 1; ; tried++) {
      let atLeast = 0
      try {
        const answer = await readAnswer(await fetch(request.clone()))
        const again = retryAfter({ status: answer.status, retryAfter: answer.headers.get('retry-after') }, tried)
        if (tried === tries || again === undefined) return answer
        atLeast = again
      } catch (error) {
        if (tried === tries || request.signal.aborted) throw error
      }
      await pause(tried, atLeast, request.signal, waiting)
    }
  }
}

/** The same answer, all of which has arrived. */
async function readAnswer(response: Response): Promise<Response> {
  const { status, statusText, headers } = response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers })
}

export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
