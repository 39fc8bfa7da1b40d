import type { Kernel } from '../../../shared/http/protocol/exchange.ts'
import type { Target } from '../http/api-event.ts'
import { LINKS_PATH } from './links/link-listener.ts'
import { isOfPlayer, PLAYER_PATH } from './player-listener.ts'

/** Whether a path is that of a link or of the player. */
export const isShown = (path: string): boolean => path.startsWith(`${LINKS_PATH}/`) || isOfPlayer(path)

type Addresses = Pick<Kernel, 'baseUrl' | 'settings'>

/** A request for a link or the player at the API's own origin. */
export interface AskedFor {
  target: Target
  /** Header `Host`. */
  host: string | undefined
  behindProxy: boolean
}

/**
 * The address at which a link or the player is now. Undefined where it is answered here: it has no other address, or a proxy may ask that maps
 * such an address to this one.
 * @param isAlwaysElsewhere whether links and player have a port of their own: then no proxy asks here
 */
export function movedTo({ target, host, behindProxy }: AskedFor, kernel: Addresses, isAlwaysElsewhere: boolean): string | undefined {
  const { baseUrl = '', settings } = kernel
  const { path, query } = target
  const [below, address] = isOfPlayer(path) ? [PLAYER_PATH, settings.playerUrl] : [LINKS_PATH, settings.cdnUrl]
  if (new URL(address).origin === new URL(baseUrl).origin) return undefined
  // A proxy that passes the client's Host on asks so for the API's host alone.
  if (!isAlwaysElsewhere && !(behindProxy && host === new URL(baseUrl).host)) return undefined
  const rest = `${path.slice(below.length)}${query === '' ? '' : `?${query}`}`
  return `${address}${rest}`
}

/**
 * Where links and streams may have been before: at the host of the player's page, by whatever name, port or scheme somebody opens that; below the
 * API's address; and where the operator says.
 */
export const formerCdnUrls = (baseUrl: string, named: readonly string[]): string[] => [LINKS_PATH, `${baseUrl}${LINKS_PATH}`, ...named]
