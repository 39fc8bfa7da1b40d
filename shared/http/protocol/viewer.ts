import { createHash, timingSafeEqual } from 'node:crypto'
import { type ApiEvent, header, type Kernel } from './exchange.ts'

/** The client's network address, and the address under which it reached the API. */
export interface Viewer {
  /** Address of the API, without trailing slash. */
  baseUrl: string
  /** Network address of the caller. */
  address: string
}

/**
 * The delivery network sends the viewer's host and address in headers. A client that calls the gateway directly could send the same headers, so
 * they count only together with the network's key, of which functions know the hash alone; of two while the key is rotated.
 */
export function viewerOf(event: ApiEvent, kernel: Pick<Kernel, 'baseUrl' | 'originKeyHashes'>): Viewer {
  const { domainName, stage, identity } = event.requestContext
  if (kernel.baseUrl) return { baseUrl: kernel.baseUrl, address: identity.sourceIp }
  const trusted = isOriginKey(header(event, 'x-origin-key') ?? '', kernel.originKeyHashes ?? [])
  return {
    baseUrl: `https://${(trusted && header(event, 'x-viewer-host')) || `${domainName}/${stage}`}`,
    address: (trusted && header(event, 'x-viewer-address')) || identity.sourceIp,
  }
}

function isOriginKey(given: string, hashes: readonly string[]): boolean {
  const actual = createHash('sha256').update(given).digest()
  const matches = hashes.map((hash) => {
    const expected = Buffer.from(hash, 'hex')
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
  return matches.includes(true)
}

/** Whether clients reach the API by TLS: always on AWS, on one machine where its proxy does. */
export function isOverTls({ baseUrl }: Pick<Kernel, 'baseUrl'>): boolean {
  return baseUrl === undefined || baseUrl.startsWith('https:')
}
