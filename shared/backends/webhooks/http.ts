import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { inTime } from '../../deadline.ts'
import { networks } from '../outside/networks.ts'
import { isReserved } from './addresses.ts'
import type { TargetAnswer, WebhookTargets } from './port.ts'

/** Milliseconds for all of it: the name, the connection, the request, the answer. */
const TIME_LIMIT = 15_000
/** Bytes of an answer's body that are read and thrown away: a client that hangs up early looks like a failure to some servers. */
const MOST_READ = 64 * 1024
/** Bytes of its headers. */
const MOST_HEADERS = 16 * 1024
/** Ports of https without `plainHttp`. */
const PORTS = ['', '443', '8443']
const USER_AGENT = 'Library-Webhooks/1.0'

export interface TargetOptions {
  /** Takes http, and any port. */
  plainHttp?: boolean
  /** Private networks that may be reached: `10.1.0.0/16`. */
  allowed?: readonly string[]
  /** All addresses of a host name. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>
}

/**
 * Targets on the network. A name is resolved once for each request, none of its addresses may be reserved, and the connection goes to one of
 * those: a name server that answers differently the next time changes nothing. Redirects are not followed.
 */
export function openWebhookTargets({ plainHttp = false, allowed = [], resolve = resolveAll }: TargetOptions = {}): WebhookTargets {
  const exceptions = networks(allowed)
  const isRefused = (address: string) => isReserved(address) && !exceptions.has(address)

  function refusal(text: string): string | undefined {
    const url = URL.parse(text)
    if (!url || !(plainHttp ? ['http:', 'https:'] : ['https:']).includes(url.protocol)) {
      return plainHttp ? 'must be an http or https address' : 'must be an https address'
    }
    if (url.username !== '' || url.password !== '') return 'must hold no user information'
    if (!plainHttp && !PORTS.includes(url.port)) return 'must have the port 443 or 8443'
    if (isIP(hostOf(url)) !== 0 && isRefused(hostOf(url))) return 'must not be in a private or reserved network'
    return undefined
  }

  /** @throws TargetFailed */
  async function addressesOf(hostname: string): Promise<LookupAddress[]> {
    const family = isIP(hostname)
    const addresses = family === 0 ? await resolve(hostname) : [{ address: hostname, family }]
    if (addresses.length === 0) throw new TargetFailed('ENOTFOUND')
    if (addresses.some(({ address }) => isRefused(address))) throw new TargetFailed('address_refused')
    return addresses
  }

  /** @param seen notes what is known of the answer so far */
  async function send(
    url: URL,
    { headers, body }: Parameters<WebhookTargets['post']>[1],
    signal: AbortSignal,
    seen: (known: Partial<TargetAnswer>) => void,
  ): Promise<void> {
    const addresses = await addressesOf(hostOf(url))
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': USER_AGENT,
          ...headers,
        },
        agent: false,
        lookup: pinnedTo(addresses),
        maxHeaderSize: MOST_HEADERS,
        signal,
      })
      request.on('error', reject)
      request.on('close', () => reject(new TargetFailed('ECONNRESET')))
      request.on('response', (answer) => {
        const { statusCode: status, headers } = answer
        const retryAfter = headers['retry-after']
        let bytes = 0
        seen({ ...(status !== undefined && { status }), ...(retryAfter !== undefined && { retryAfter }) })
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.byteLength
          seen({ bytes })
          if (bytes >= MOST_READ) resolve()
        })
        answer.on('error', reject)
        answer.on('end', resolve)
      })
      request.end(body)
    })
  }

  return {
    refusal,
    async post(url, request) {
      const start = performance.now()
      const over = new AbortController()
      let known: Pick<TargetAnswer, 'bytes'> & Partial<TargetAnswer> = { bytes: 0 }
      const seen = (more: Partial<TargetAnswer>) => {
        known = { ...known, ...more }
      }
      try {
        if (refusal(url) !== undefined) throw new TargetFailed('address_refused')
        // The system's lookup of a name can't be stopped: it is left behind.
        await inTime(send(new URL(url), request, over.signal, seen), TIME_LIMIT, () => {
          throw new TargetFailed('timeout')
        })
      } catch (error) {
        seen({ error: codeOf(error) })
      } finally {
        over.abort()
      }
      return { ...known, milliseconds: Math.round(performance.now() - start) }
    },
  }
}

/** A failure with a code that is shown. */
class TargetFailed extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** The code of a failure; messages would name addresses. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
}

/** The host without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const resolveAll = (hostname: string): Promise<LookupAddress[]> => lookup(hostname, { all: true })

/** A socket's lookup of names that knows these addresses alone. */
function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, found) => {
    const [{ address, family }] = addresses as [LookupAddress]
    if (all) found(null, [...addresses])
    else found(null, address, family)
  }
}
