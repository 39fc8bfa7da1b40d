import { RecentlyUsed } from '../../recently-used.ts'
import type { Clock } from '../clock/port.ts'
import type { OutsideRequest } from '../outside/fetch.ts'

/** How long an answer is cached, in milliseconds. */
const KEPT = 5 * 60_000
/** How long a failure is cached, in milliseconds. */
const FAILURE_KEPT = 10_000
/** Cache size in bytes. */
const MOST_BYTES = 16 * 1024 ** 2
/** Bytes that a cached answer takes besides its body. */
const OVERHEAD = 2_000

type Send = (address: string, request: OutsideRequest) => Promise<Response>

interface Outcome {
  /** When it came, in UNIX milliseconds. */
  at: number
  keptFor: number
  /** Absent where the request failed. */
  answer?: { status: number; headers: Headers; body: ArrayBuffer }
  error?: unknown
  /** Whether it was requested before the previous one expired. */
  isRenewed: boolean
}

/** Caches answers to GET, so that anonymous callers don't each cause a request. Concurrent callers share one request. */
export function cachedAnswers(send: Send, clock: Clock) {
  const known = new RecentlyUsed<Outcome>(MOST_BYTES, ({ answer }) => OVERHEAD + (answer?.body.byteLength ?? 0))
  const running = new Map<string, Promise<Outcome>>()

  async function ask(address: string, request: OutsideRequest, isRenewed: boolean): Promise<Outcome> {
    const outcome = await send(address, request).then(
      async (response) => {
        const { status, headers } = response
        const body = await response.arrayBuffer()
        return { answer: { status, headers, body }, keptFor: status === 200 && isJson(body) ? KEPT : FAILURE_KEPT }
      },
      (error: unknown) => ({ error, keptFor: FAILURE_KEPT }),
    )
    const kept = { ...outcome, at: clock.now(), isRenewed }
    known.set(address, kept)
    return kept
  }

  function asked(address: string, request: OutsideRequest, isRenewed: boolean): Promise<Outcome> {
    const asking = running.get(address) ?? ask(address, request, isRenewed).finally(() => running.delete(address))
    running.set(address, asking)
    return asking
  }

  return {
    /** @throws what the request failed with */
    async get(address: string, request: OutsideRequest): Promise<Response> {
      const last = known.get(address)
      // `abs`, because clocks may be set back.
      const isRecent = last && Math.abs(clock.now() - last.at) < last.keptFor
      return responseOf(isRecent ? last : await asked(address, request, false))
    },
    /** Requests it again before it expires, but only once until then. @throws what the request failed with */
    async renew(address: string, request: OutsideRequest): Promise<Response> {
      const last = known.get(address)
      return last?.isRenewed ? this.get(address, request) : responseOf(await asked(address, request, true))
    },
  }
}

function responseOf({ answer, error }: Outcome): Response {
  if (!answer) throw error
  const { status, headers, body } = answer
  return new Response(body.byteLength === 0 ? null : body, { status, headers })
}

function isJson(body: ArrayBuffer): boolean {
  try {
    JSON.parse(Buffer.from(body).toString())
    return true
  } catch {
    return false
  }
}
