import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { lambdaProcess } from '../../lambda-process.ts'
import type { Endpoint } from '../declaration/endpoint.ts'
import type { Route } from '../declaration/route.ts'
import type { Kernel } from '../protocol/exchange.ts'
import { type ApiHandler, apiHandler, fallbackHandler, type Provided } from './kernel.ts'

/** Lambda refuses an answer that is larger, in JSON. */
const MAX_ANSWER_BYTES = 6_291_556

/** The Lambda handler of an endpoint; infra/aws/bundling/entries.ts generates the call. */
export function endpointHandler(endpoint: Endpoint, backend: Provided): ApiHandler {
  return bufferedHandler(apiHandler(endpoint, backend, lambdaKernel()))
}

/** The Lambda handler of several endpoints that share a function. */
export function endpointsHandler(endpoints: readonly Endpoint[], backend: Provided): ApiHandler {
  const kernel = lambdaKernel()
  const handlers = new Map(endpoints.map((each) => [each.route(kernel.settings), bufferedHandler(apiHandler(each, backend, kernel))]))
  return async (event, context) => handlers.get(`${event.httpMethod} ${event.resource}` as Route)!(event, context)
}

/** Answers in one piece. The answer of a function is JSON, so its body has to be text. */
export function bufferedHandler(handler: ApiHandler): ApiHandler {
  return async (event, context) => {
    const { pieces, ...answer } = await handler(event, context)
    if (!pieces) return answer
    const isBase64Encoded = answer.headers?.['Content-Encoding'] !== undefined
    return { ...answer, body: Buffer.concat(pieces).toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded }
  }
}

/** The Lambda handler of requests for no endpoint. */
export function fallback(): ApiHandler {
  return bufferedHandler(fallbackHandler(lambdaKernel()))
}

/** The kernel's settings and services in a Lambda process. */
export function lambdaKernel(): Kernel {
  const originKeyHashes = process.env.ORIGIN_KEY_HASH?.split(',')
  return { ...lambdaProcess(), version: bundleVersion, maxAnswerBytes: MAX_ANSWER_BYTES, ...(originKeyHashes ? { originKeyHashes } : {}) }
}

let knownVersion: string | undefined

/** The version of this function's bundle and settings, the same in all its environments. It is read late, because it delays a cold start. */
function bundleVersion(): string {
  knownVersion ??= createHash('sha256')
    .update(readFileSync(new URL(import.meta.url)))
    .update(process.env.SETTINGS ?? '')
    .digest('base64url')
  return knownVersion
}
