import type { ApiHandler } from '../kernel/kernel.ts'
import { bufferedHandler, lambdaKernel } from '../kernel/lambda.ts'
import { type Documentation, documentationHandler } from './documentation.ts'

/** The Lambda handler of the documentation routes. It is a module of its own, so that no other function carries the pages. */
export function documentationFunction(documentation: Documentation): ApiHandler {
  return bufferedHandler(documentationHandler(lambdaKernel(), async () => documentation))
}
