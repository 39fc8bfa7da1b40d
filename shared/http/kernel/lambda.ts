import { lambdaProcess } from '../../lambda-process.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Kernel } from '../exchange.ts'
import { type ApiHandler, apiHandler, fallbackHandler, type Provided } from './kernel.ts'

/** The Lambda handler of an endpoint; infra/bundling/entries.ts generates the call. */
export function endpointHandler(endpoint: Endpoint, backend: Provided): ApiHandler {
  return apiHandler(endpoint, backend, lambdaKernel())
}

/** The Lambda handler of everything that no endpoint answers. */
export function fallback(): ApiHandler {
  return fallbackHandler(lambdaKernel())
}

/** What a Lambda process gives the kernel. */
export function lambdaKernel(): Kernel {
  const originKeyHash = process.env.ORIGIN_KEY_HASH
  return { ...lambdaProcess(), ...(originKeyHash ? { originKeyHash } : {}) }
}
