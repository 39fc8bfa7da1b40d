import type { IncomingMessage } from 'node:http'
import { requestIdHeader } from '../../../shared/http/kernel/headers.ts'
import type { Kernel } from '../../../shared/http/protocol/exchange.ts'
import { type PlayerAddresses, playerFiles, playerHeaders } from '../../clients/player/player-files.ts'
import { playerSources } from '../../clients/player/player-sources.ts'
import { targetOf } from '../http/api-event.ts'
import type { RequestListener } from '../http/http-server.ts'
import { sendAnswer } from '../http/send-answer.ts'
import { errorAnswer } from './error-answer.ts'
import type { DeliveryAnswer } from './object-answer.ts'
import { securityLabels } from './security-labels.ts'
import { type StaticFile, staticFile, staticFileAnswer } from './static-file.ts'

/** Where the player is below the server's address: no route of the interface begins so. */
export const PLAYER_PATH = '/-/player'

/** Whether a path is the player's. */
export const isOfPlayer = (path: string): boolean => path === PLAYER_PATH || path.startsWith(`${PLAYER_PATH}/`)

/**
 * Answers with the player's page and what belongs to it, as CloudFront does on AWS.
 * @param formerCdnUrls where streams have been, too
 */
export function playerListener(kernel: Kernel, formerCdnUrls: readonly string[]): RequestListener {
  let opened: Promise<PlayerHost> | undefined
  const common = securityLabels(kernel)
  const idHeader = requestIdHeader(kernel.settings.brand)
  return async (request, response, requestId) => {
    try {
      opened ??= openPlayerHost({ ...kernel.settings, formerCdnUrls })
      const host = await opened
      const { headers, ...found } = await answerOf(host, request, requestId)
      await sendAnswer(request, response, { ...found, headers: { ...common, ...host.headers, [idHeader]: requestId, ...headers } })
    } catch (error) {
      opened = undefined
      kernel.log.error('the player could not be answered with', { id: requestId, error })
      response.destroy()
    }
  }
}

async function answerOf({ files }: PlayerHost, request: IncomingMessage, requestId: string): Promise<DeliveryAnswer> {
  const { method = 'GET' } = request
  if (method === 'OPTIONS') return { status: 204, headers: { 'access-control-allow-methods': METHODS, 'access-control-max-age': '86400' } }
  if (method !== 'GET' && method !== 'HEAD') return errorAnswer(405, requestId, readOnly, { allow: METHODS })
  const name = targetOf(request.url ?? '/').path.slice(PLAYER_PATH.length + 1)
  const file = files.get(name || 'index.html')
  return file ? staticFileAnswer(file, request) : errorAnswer(404, requestId, missing)
}

const METHODS = 'GET, HEAD, OPTIONS'
const readOnly = { code: 'method_not_allowed', message: 'The player can be read, not written.' }
const missing = { code: 'not_found', message: 'The player has no such page.' }

export interface PlayerHost {
  headers: Record<string, string>
  /** By path below the player's address. */
  files: ReadonlyMap<string, StaticFile>
}

/** Reads and compresses the player's files: once, at the first request, because a start shouldn't wait for them. */
export async function openPlayerHost(addresses: PlayerAddresses): Promise<PlayerHost> {
  const sources = playerSources()
  const files = playerFiles(addresses, sources).map(async ({ path, body, ...labels }) => [path, await staticFile(body, labels)] as const)
  return { headers: playerHeaders(addresses, sources), files: new Map(await Promise.all(files)) }
}
