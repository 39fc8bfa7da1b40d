import { requestIdHeader } from '../../../shared/http/kernel/headers.ts'
import type { Kernel } from '../../../shared/http/protocol/exchange.ts'
import { LINK_HEADERS } from '../../../shared/http/protocol/link-answer.ts'
import { targetOf } from '../http/api-event.ts'
import type { RequestListener } from '../http/http-server.ts'
import { sendAnswer } from '../http/send-answer.ts'
import { errorAnswer } from './error-answer.ts'
import type { LinkHost } from './links/link-answer.ts'
import { linkListener } from './links/link-listener.ts'
import { isOfPlayer, playerListener } from './player-listener.ts'
import { securityLabels } from './security-labels.ts'
import { isShown, movedTo } from './shown-addresses.ts'

export interface ShownSettings {
  links: LinkHost
  /** Where links and streams have been, too. */
  formerCdnUrls: readonly string[]
  behindProxy: boolean
}

/** Answers with what anybody may see, links and the player, wherever they are asked for. */
function shownListener(kernel: Kernel, { links, behindProxy, formerCdnUrls }: ShownSettings): RequestListener {
  const linked = linkListener(links, kernel, behindProxy)
  const player = playerListener(kernel, formerCdnUrls)
  return (request, response, requestId) => {
    const isForPlayer = isOfPlayer(targetOf(request.url ?? '/').path)
    return isForPlayer ? player(request, response, requestId) : linked(request, response, requestId)
  }
}

/** Answers at the origin of links and player, where there is nothing else: no page there reads what a session of the API may. */
export function ownOriginListener(kernel: Kernel, settings: ShownSettings): RequestListener {
  const shown = shownListener(kernel, settings)
  const { nothing } = answers(kernel)
  return async (request, response, requestId) => {
    if (!isShown(targetOf(request.url ?? '/').path)) await nothing(request, response, requestId)
    else await shown(request, response, requestId)
  }
}

/**
 * Answers at the API's own origin: with the address that links and player have elsewhere, so that what was given out before goes on to work.
 * Behind a proxy that has no other way to them it answers itself.
 * @param isAlwaysElsewhere whether they have a port of their own
 */
export function movedListener(kernel: Kernel, settings: ShownSettings & { isAlwaysElsewhere: boolean }): RequestListener {
  const shown = shownListener(kernel, settings)
  const { redirect } = answers(kernel)
  return async (request, response, requestId) => {
    const { method, headers, url = '/' } = request
    // A browser follows no redirect of a preflight.
    const reads = method === 'GET' || method === 'HEAD'
    const asked = { target: targetOf(url), host: headers.host, behindProxy: settings.behindProxy }
    const address = reads ? movedTo(asked, kernel, settings.isAlwaysElsewhere) : undefined
    await (address === undefined ? shown : redirect(address))(request, response, requestId)
  }
}

function answers(kernel: Kernel) {
  const common = (requestId: string) => ({
    ...securityLabels(kernel),
    ...LINK_HEADERS,
    [requestIdHeader(kernel.settings.brand)]: requestId,
  })
  const redirect =
    (location: string): RequestListener =>
    (request, response, requestId) =>
      sendAnswer(request, response, {
        status: 302,
        headers: { ...common(requestId), location, 'content-length': '0', 'cache-control': 'no-store' },
      })
  const nothing: RequestListener = (request, response, requestId) => {
    const { headers, ...answer } = errorAnswer(404, requestId, { code: 'not_found', message: 'There is no such link.' })
    return sendAnswer(request, response, { ...answer, headers: { ...common(requestId), ...headers } })
  }
  return { redirect, nothing }
}
