import { randomUUID } from 'node:crypto'
import middy from '@middy/core'
import type { Table, TableReader } from '../../backends/table/port.ts'
import { within } from '../../deadline.ts'
import { Access } from '../../library/access/access.ts'
import { actorOf } from '../../library/access/caller.ts'
import { type ByRequest, byRequest } from '../../library/actor.ts'
import { NotFound } from '../../library/errors.ts'
import { traced, traceOf } from '../../log/trace.ts'
import { type Backend, grantedOf } from '../../resources.ts'
import { DEFAULT_TIMEOUT_SECONDS, type Endpoint, isRevalidated, takesApplications } from '../declaration/endpoint.ts'
import { NoStore, WithEtag } from '../declaration/results.ts'
import { SHARE_PATH } from '../declaration/share-link.ts'
import { credentialsOf } from '../protocol/credentials.ts'
import {
  type ApiEvent,
  type ApiResult,
  type Chain,
  type Exchange,
  type ExchangeContext,
  header,
  type Kernel,
} from '../protocol/exchange.ts'
import { viewerOf } from '../protocol/viewer.ts'
import { accessLog } from './access-log.ts'
import { toAnswer } from './answer.ts'
import { authenticate } from './authenticate.ts'
import { compression } from './compression.ts'
import { errors, refusalPage } from './errors.ts'
import { cors, preflightHeaders, security, unlisted } from './headers.ts'
import { idempotently } from './idempotency.ts'
import { input } from './input.ts'
import { answerLimit, bodyLimit, diskLimit } from './limits.ts'
import { revalidation, taggedAnswer, tagOf } from './revalidation.ts'

/** Answers one request, in the format of API Gateway (REST). Never rejects. */
export type ApiHandler = (event: ApiEvent, context?: Pick<ExchangeContext, 'getRemainingTimeInMillis'>) => Promise<ApiResult>

/** Resources of an endpoint's process: at least those of `allUses(endpoint)`. */
export type Provided = Partial<Backend>

/** Milliseconds of a request's time in which nothing is tried again: the answer, or why there is none, has to be on its way. */
const ANSWERING_MS = 1_000

/** The part of an endpoint that the outer chain reads. */
type Answering = Pick<Endpoint, 'access' | 'askForLess' | 'refusedOn'>

/**
 * The chain of every request, from the outside in: log and request id, CORS, security headers, errors, size and coding of the answer, size of
 * the body, space on the disk, tag of a list, caller, input.
 */
export function apiHandler(endpoint: Endpoint, backend: Provided, kernel: Kernel): ApiHandler {
  const route = endpoint.route(kernel.settings)
  const chain = outerChain(kernel, route, endpoint).use(bodyLimit(endpoint)).use(diskLimit(endpoint, kernel))
  if (isRevalidated(endpoint)) chain.use(revalidation())
  const { table, sessions = table, apiSecretsKey } = backend
  if (endpoint.access === 'share link') {
    if (!table) throw new Error(`${route} needs the table to open share links`)
    chain.use(endpoint.letsIn!(kernel, { table }))
  } else if (endpoint.access !== 'anyone') {
    if (!table || !sessions) throw new Error(`${route} needs the table to authenticate callers`)
    const keys = takesApplications(endpoint.access) ? { apiSecretsKey } : {}
    chain.use(authenticate(kernel, endpoint.access, { table, sessions, ...keys }))
  }
  chain.use(input(endpoint, kernel))
  const granted = grantedOf(endpoint.uses, backend)
  if (endpoint.idempotent && !(endpoint.uses.table?.startsWith('write') && table)) throw new Error(`${route} needs to write the table`)
  const handler = chain.handler(async (event, context) => {
    const { exchange } = context
    const { requestId, input: parsed, caller } = exchange
    const { baseUrl, address: sourceAddress } = viewerOf(event, kernel)
    const { settings, clock } = kernel
    const log = kernel.log.with({ id: requestId })
    const credentials = () => credentialsOf(event, kernel)
    const request = { settings, clock, baseUrl, sourceAddress, credentials, requestId, log }
    const known = header(event, 'if-none-match')
    const answer = async (written?: Table): Promise<ApiResult> => {
      const resources = written ? { ...granted, table: written } : granted
      const result = await endpoint.handle({ ...parsed, ...callerContext(exchange, table, byRequest(request)), ...request, ...resources })
      if (result instanceof NoStore) {
        exchange.isNoStore = true
        return toAnswer(endpoint, kernel, result.answer)
      }
      if (!(result instanceof WithEtag)) return toAnswer(endpoint, kernel, result, known)
      const etag = tagOf(result.parts, event, caller, kernel.version?.() ?? PROCESS_VERSION)
      return taggedAnswer(etag, known, async () => toAnswer(endpoint, kernel, await result.make()))
    }
    if (!(endpoint.idempotent && caller && table)) return answer()
    return idempotently({ kernel, endpoint, event, caller, requestId, table }, answer)
  })
  return run(handler, endpoint.timeoutSeconds)
}

/** The version of a process that doesn't know its code: another process may run other code. */
const PROCESS_VERSION = randomUUID()

/** The caller, as the handler receives it. Empty for endpoints that anyone may call. */
function callerContext({ caller, visit }: Exchange, table: TableReader | undefined, request: ByRequest) {
  if (visit) return { ...visit, by: actorOf(visit.access.caller, request) }
  return caller && table ? { access: new Access(table, caller), by: actorOf(caller, request) } : {}
}

/** Answers requests that match no route: preflights, and unknown paths or methods. */
export function fallbackHandler(kernel: Kernel): ApiHandler {
  const handler = outerChain(kernel, 'fallback').handler(async (event) => {
    if (event.httpMethod === 'OPTIONS') return { statusCode: 204, headers: { ...preflightHeaders }, body: '' }
    throw new NotFound('resource')
  })
  return run(handler)
}

/** Answers requests outside of the table of endpoints, with the headers of all answers. @param route its name in the log */
export function plainHandler(kernel: Kernel, route: string, answer: (event: ApiEvent) => Promise<ApiResult>): ApiHandler {
  return run(outerChain(kernel, route).handler(answer))
}

function outerChain(kernel: Kernel, route: string, { access, askForLess, refusedOn }: Answering = { access: 'anyone' }): Chain {
  const chain = middy<ApiEvent, ApiResult, Error, Parameters<Chain>[1]>()
  if (refusedOn) chain.use(refusalPage(kernel, refusedOn))
  chain.use(accessLog(kernel, route))
  if (route.includes(` ${SHARE_PATH}`)) chain.use(unlisted())
  return chain
    .use(cors(kernel))
    .use(security(kernel))
    .use(errors(kernel, access))
    .use(answerLimit(kernel, { askForLess }))
    .use(compression())
}

function run(chain: Chain, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS): ApiHandler {
  const answer = chain as unknown as (event: ApiEvent, context: ExchangeContext) => Promise<ApiResult>
  return (event, context) => {
    const remaining = context?.getRemainingTimeInMillis?.() ?? timeoutSeconds * 1000
    const { requestId } = event.requestContext
    const run = () =>
      answer(event, {
        exchange: { requestId, startedAt: performance.now() },
        ...(context?.getRemainingTimeInMillis && { getRemainingTimeInMillis: () => context.getRemainingTimeInMillis!() }),
      })
    return traced(traceOf(requestId, header(event, 'traceparent')), () => within(remaining - ANSWERING_MS, run))
  }
}
