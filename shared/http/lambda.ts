import { lambdaProcess } from '../lambda-process.ts'
import type { Endpoint } from './endpoint.ts'
import type { Kernel } from './exchange.ts'
import { type ApiHandler, apiHandler, documentHandler, fallbackHandler, type Provided } from './kernel.ts'
import type { OpenApiDocument } from './openapi/document.ts'

/** The Lambda handler of an endpoint; infra/entries.ts generates the call. */
export function endpointHandler(endpoint: Endpoint, backend: Provided): ApiHandler {
  return apiHandler(endpoint, backend, lambdaKernel())
}

/** The Lambda handler of everything that no endpoint answers. */
export function fallback(): ApiHandler {
  return fallbackHandler(lambdaKernel())
}

/** The Lambda handler of the API document. */
export function documentFunction(document: OpenApiDocument): ApiHandler {
  return documentHandler(lambdaKernel(), document)
}

function lambdaKernel(): Kernel {
  const originKeyHash = process.env.ORIGIN_KEY_HASH
  return { ...lambdaProcess(), ...(originKeyHash ? { originKeyHash } : {}) }
}
