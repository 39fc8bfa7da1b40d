import { RecentlyUsed } from '../../recently-used.ts'
import type { Clock } from '../clock/port.ts'
import type { OutsideRequest } from '../outside/fetch.ts'

/** Milliseconds for which an answer is remembered. */
const KEPT = 5 * 60_000
/** The same of a failure. */
const FAILURE_KEPT = 10_000
/** Most bytes of answers in memory. */
const MOST_BYTES = 16 * 1024 ** 2
/** Bytes that a short answer takes with its address and headers. */
const OVERHEAD = 2_000

type Send = (address: string, request: OutsideRequest) => Promise<Response>

/** What came of a request. */
interface Outcome {
  /** When it came, in UNIX milliseconds. */
  at: number
  keptFor: number
  /** Absent where the request failed. */
  answer?: { status: number; headers: Headers; body: ArrayBuffer }
  error?: unknown
  /** Whether it was asked for again before its time. */
  isRenewed: boolean
}

/** Answers to GET that are remembered, so that anonymous callers cause no requests of their own. Those who ask at the same time share one. */
export function rememberedAnswers(send: Send, clock: Clock) {
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
    const told = { ...outcome, at: clock.now(), isRenewed }
    known.set(address, told)
    return told
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
      // A clock may go back.
      const isRecent = last && Math.abs(clock.now() - last.at) < last.keptFor
      return responseOf(isRecent ? last : await asked(address, request, false))
    },
    /** Asks anew, once before the time of what is known is over. @throws what the request failed with */
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
