import type { Settings } from '../../../shared/settings.ts'
import { type HttpServer, listen } from '../http/http-server.ts'
import { listenFailure } from '../http/listen-address.ts'
import type { ServerSettings } from '../settings.ts'

/**
 * How far the port of links and player is from that of the API, where nobody names one: far from ports of other servers, which are neighbours.
 * Browsers refuse port 10080, which is not that of an API at 80.
 */
const PORT_DISTANCE = 10_001

/** What the second server is like the first one in. */
type Listening = Omit<Parameters<typeof listen>[0], 'port'>

/**
 * Listens for requests for links and player at a port of their own: what users publish must not be a page of the API's origin, where sessions
 * are. Undefined where a proxy gives them addresses.
 * @throws Error that says what to do where the named port can't be had
 */
export async function listenForShown(
  settings: ServerSettings,
  { baseUrl, say, to }: { baseUrl: string; say: (text: string) => void; to: Listening },
): Promise<HttpServer | undefined> {
  const { host, port, cdnPort } = settings
  if (cdnPort === undefined && (isMapped(settings, baseUrl) || hasAddresses(settings))) return undefined
  const wanted = cdnPort ?? besides(port)
  try {
    return await listen({ ...to, port: wanted })
  } catch (error) {
    if (cdnPort !== undefined) throw listenFailure(error as NodeJS.ErrnoException, { host, port: wanted }, 'CDN_PORT')
    const server = await listen({ ...to, port: 0 })
    say(`Port ${wanted} is not free, so links and player are on port ${server.port} until the next start. Set CDN_PORT to a free port.`)
    return server
  }
}

/** The same address with another port. */
export function atPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.origin
}

/** Whether links or player have the API's origin. */
export function sharesOrigin({ cdnUrl, playerUrl }: Pick<Settings, 'cdnUrl' | 'playerUrl'>, baseUrl: string): boolean {
  return [cdnUrl, playerUrl].some((address) => new URL(address).origin === new URL(baseUrl).origin)
}

/** Whether a proxy stands between the address that clients know and this server: then a port of this server is of no use to them. */
function isMapped({ publicUrl, port }: ServerSettings, baseUrl: string): boolean {
  const known = new URL(baseUrl)
  return publicUrl !== undefined && (known.protocol === 'https:' || (known.port || '80') !== String(port))
}

const hasAddresses = ({ service: { cdnUrl, playerUrl } }: ServerSettings): boolean => cdnUrl !== undefined && playerUrl !== undefined

/** The usual port of links and player. 0, any free port, stays that. */
export function besides(port: number): number {
  if (port === 0) return 0
  return port + PORT_DISTANCE > 65_535 ? port - PORT_DISTANCE : port + PORT_DISTANCE
}
