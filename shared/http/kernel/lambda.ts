import { pipeline } from 'node:stream/promises'
import type { APIGatewayProxyEvent, StreamifyHandler } from 'aws-lambda'
import { lambdaProcess } from '../../lambda-process.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Kernel } from '../exchange.ts'
import { isStreamOutput } from '../results.ts'
import { type ApiHandler, apiHandler, fallbackHandler, type Provided } from './kernel.ts'

/** The Lambda handler of an endpoint; infra/bundling/entries.ts generates the call. */
export function endpointHandler(endpoint: Endpoint, backend: Provided): ApiHandler | StreamifyHandler<APIGatewayProxyEvent, void> {
  const kernel = lambdaKernel()
  const handler = apiHandler(endpoint, backend, kernel)
  return isStreamOutput(endpoint.returns) ? streamingHandler(handler, kernel) : handler
}

/**
 * Sends answers as they are made, errors included: the gateway invokes the function so, or it doesn't (gateway-document.ts). What fails in the
 * middle fails the invocation, and the gateway cuts the answer off.
 */
function streamingHandler(handler: ApiHandler, { log }: Kernel): StreamifyHandler<APIGatewayProxyEvent, void> {
  return awslambda.streamifyResponse(async (event: APIGatewayProxyEvent, output, context) => {
    const { statusCode, headers, body, isBase64Encoded, stream } = await handler(event, context)
    const answer = awslambda.HttpResponseStream.from(output, { statusCode, headers })
    // Status and headers leave with the first write, which may never come otherwise.
    answer.write('')
    try {
      await pipeline(stream ?? [Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')], answer)
    } catch (error) {
      log.error('the answer broke off', { id: event.requestContext.requestId, error })
      throw error
    }
  })
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
