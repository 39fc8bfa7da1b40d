import type { IncomingMessage, ServerResponse } from 'node:http'
import { endpoints } from '../../functions/endpoints.ts'
import { requestIdHeader } from '../../shared/http/kernel/headers.ts'
import { apiHandler, fallbackHandler } from '../../shared/http/kernel/kernel.ts'
import { type Documentation, documentationEndpoints, documentationHandler } from '../../shared/http/openapi/documentation.ts'
import type { Kernel } from '../../shared/http/protocol/exchange.ts'
import { isOverTls } from '../../shared/http/protocol/viewer.ts'
import { SourceSlots } from '../../shared/library/concurrency/source-slots.ts'
import { whyNotPosted } from '../../shared/library/uploads/uploads.ts'
import { networksOf } from '../../shared/network.ts'
import { isOfConsole } from '../clients/console/paths.ts'
import { type EmbeddedBackend, MEDIA_PATH, PARTS_PATH } from './backend/embedded-backend.ts'
import { consoleListener } from './delivery/console-listener.ts'
import { deliveryListener } from './delivery/delivery-listener.ts'
import { isShown } from './delivery/shown-addresses.ts'
import { movedListener, type ShownSettings } from './delivery/shown-listener.ts'
import type { SignInLink } from './demo/sign-in-link.ts'
import { sourceAddress, targetOf } from './http/api-event.ts'
import { apiListener } from './http/api-listener.ts'
import type { ClientLimits } from './http/client-limits.ts'
import type { RequestListener } from './http/http-server.ts'
import { METRICS_PATH, mayReadMetrics, metricsListener } from './http/metrics-listener.ts'
import { commonHeaders } from './http/refusals.ts'
import { router } from './http/router.ts'
import { isFromThisMachine, isLocalAddress } from './http/this-machine.ts'
import { uploadFormListener } from './http/uploads/form-listener.ts'
import { uploadPartListener } from './http/uploads/part-listener.ts'
import { asksForMail, type MailPages, mailListener } from './mail/mail-listener.ts'

/**
 * Answers all requests: the API at the root and, below `/-/`, where no route of the interface can be, what S3 and CloudFront answer on AWS.
 * To this machine alone it also shows the e-mails that were sent, and signs the demo's admin in by the link of the start; to it and whoever has a
 * token it shows its metrics. Others learn of no such page.
 */
export function serviceListener(
  embedded: EmbeddedBackend,
  kernel: Kernel,
  {
    limits,
    mail,
    shown,
    metrics,
    signIn,
  }: {
    limits: ClientLimits
    mail: Omit<MailPages, 'log'>
    shown: ShownSettings & { isAlwaysElsewhere: boolean }
    metrics: { token: string | undefined; text(): Promise<string> }
    signIn?: SignInLink | undefined
  },
): RequestListener {
  const { behindProxy } = shown
  const documentation = documentationHandler(kernel, () => loadDocumentation(kernel))
  const destinationOf = router(
    { ...endpoints, ...documentationEndpoints },
    kernel.settings,
    (endpoint) => ('handle' in endpoint ? apiHandler(endpoint, embedded.backend, kernel) : documentation),
    fallbackHandler(kernel),
  )
  const api = apiListener(destinationOf, kernel, behindProxy)
  const uploadSlots = new SourceSlots(limits.uploads)
  const received = {
    ...embedded.uploadForms,
    pace: limits.pace,
    objects: embedded.uploads,
    enter(request: IncomingMessage) {
      const [source] = networksOf(sourceAddress(request, behindProxy))
      return uploadSlots.take(source) ? () => uploadSlots.release(source) : undefined
    },
    isDiskFull: (more: number) => kernel.isDiskFull?.(more) ?? false,
    onFailure: (error: unknown) => kernel.log.error('upload failed', { error }),
  }
  const uploads = uploadFormListener({ ...received, refusalOf: (key) => whyNotPosted(embedded, key) })
  const parts = uploadPartListener(received)
  const delivery = deliveryListener(embedded.delivery, kernel.log)
  const moved = movedListener(kernel, shown)
  const webConsole = consoleListener(kernel)
  const metricsPage = metricsListener(metrics.text, kernel.log)
  const mailPages = mailListener({ ...mail, log: kernel.log })
  // A proxy on this machine may hide that a request comes from elsewhere.
  const showsMail = kernel.baseUrl !== undefined && isLocalAddress(kernel.baseUrl)

  return async (request, response, requestId) => {
    const { path } = targetOf(request.url ?? '/')
    if (path === '/-/uploads') {
      setCommonHeaders(request, response, requestId, kernel)
      await uploads(request, response)
    } else if (path === PARTS_PATH) {
      setCommonHeaders(request, response, requestId, kernel)
      await parts(request, response)
    } else if (path.startsWith(`${MEDIA_PATH}/`)) {
      setCommonHeaders(request, response, requestId, kernel)
      await delivery(request, response)
    } else if (isShown(path)) {
      await moved(request, response, requestId)
    } else if (isOfConsole(path)) {
      await webConsole(request, response, requestId)
    } else if (path === METRICS_PATH && request.method === 'GET' && mayReadMetrics(request, metrics.token)) {
      setCommonHeaders(request, response, requestId, kernel)
      await metricsPage(request, response, requestId)
    } else if (showsMail && asksForMail(mail.root, request.method, path) && isFromThisMachine(request)) {
      response.setHeader(requestIdHeader(kernel.settings.brand), requestId)
      await mailPages(request, response, requestId)
    } else if (signIn?.isAsked(request.method, path) && isFromThisMachine(request)) {
      await signIn.listener(request, response, requestId)
    } else await api(request, response, requestId)
  }
}

/** Made at the first request for it, because it takes longer than the rest of a start. */
async function loadDocumentation({ settings }: Kernel): Promise<Documentation> {
  const [{ openApiDocument }, { referenceFiles }] = await Promise.all([
    import('../../shared/http/openapi/document.ts'),
    import('../clients/reference/reference-files.ts'),
  ])
  return { document: openApiDocument(endpoints, settings), files: referenceFiles() }
}

function setCommonHeaders(request: IncomingMessage, response: ServerResponse, requestId: string, kernel: Kernel): void {
  const { brand } = kernel.settings
  const headers = commonHeaders({ brand, requestId, origin: request.headers.origin, overTls: isOverTls(kernel) })
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
