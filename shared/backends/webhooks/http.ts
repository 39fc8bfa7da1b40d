import { isIP } from 'node:net'
import { type Clock, systemClock } from '../clock/port.ts'
import { timeLimit } from '../clock/time-limit.ts'
import { type NamedNetworks, outsideAddresses } from '../outside/addresses.ts'
import { AddressRefused, hostOf, type OutsideOptions, outsideRequests } from '../outside/fetch.ts'
import type { TargetAnswer, WebhookTargets } from './port.ts'

/** Time limit in milliseconds for name lookup, connection, request and answer together. */
const TIME_LIMIT = 15_000
/** Bytes of an answer's body that are read and discarded: some servers log a failure if the client hangs up early. */
const MOST_READ = 64 * 1024
/** Allowed ports, unless `plainHttp` is set. */
const PORTS = ['', '443', '8443']
const USER_AGENT = 'Library-Webhooks/1.0'

export interface TargetOptions extends NamedNetworks, Pick<OutsideOptions, 'resolve'> {
  clock?: Clock
  /** Allows http, and any port. */
  plainHttp?: boolean
}

/** Sends webhooks over HTTP, only to addresses outside of the operator's network (`outside/fetch.ts`). */
export function openWebhookTargets({
  clock = systemClock,
  plainHttp = false,
  allowed = [],
  refused = [],
  ...outside
}: TargetOptions = {}): WebhookTargets {
  const permits = outsideAddresses({ allowed, refused })
  const send = outsideRequests({ permits, ...outside })

  function refusal(text: string): string | undefined {
    const url = URL.parse(text)
    if (!url || !(plainHttp ? ['http:', 'https:'] : ['https:']).includes(url.protocol)) {
      return plainHttp ? 'must be an http or https address' : 'must be an https address'
    }
    if (url.username !== '' || url.password !== '') return 'must hold no user information'
    if (!plainHttp && !PORTS.includes(url.port)) return 'must have the port 443 or 8443'
    if (isIP(hostOf(url)) !== 0 && !permits(hostOf(url))) return 'must not be in a private or reserved network'
    return undefined
  }

  return {
    refusal,
    async post(url, { companyId, headers, body }) {
      const start = clock.now()
      using limit = timeLimit(clock, TIME_LIMIT)
      const { signal } = limit
      const own = {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': USER_AGENT,
      }
      const known: Omit<TargetAnswer, 'milliseconds'> = { bytes: 0 }
      try {
        if (refusal(url) !== undefined) throw new AddressRefused(url)
        const answer = await send(url, { from: String(companyId), method: 'POST', headers: { ...own, ...headers }, body, signal })
        const { statusCode: status, headers: answered } = answer
        const retryAfter = answered['retry-after']
        Object.assign(known, { ...(status !== undefined && { status }), ...(retryAfter !== undefined && { retryAfter }) })
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          known.bytes += chunk.byteLength
          if (known.bytes >= MOST_READ) break
        }
      } catch (error) {
        known.error = signal.aborted ? 'timeout' : codeOf(error)
      }
      return { ...known, milliseconds: Math.max(0, clock.now() - start) }
    },
  }
}

/** The code of a failure. Messages aren't used: they contain addresses. */
function codeOf(error: unknown): string {
  if (error instanceof AddressRefused) return 'address_refused'
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
}
