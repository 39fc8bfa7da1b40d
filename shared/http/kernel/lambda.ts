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
  return isStreamOutput(endpoint.returns) ? streamingHandler(handler, kernel) : bufferedHandler(handler)
}

/** Answers in one piece. A function's answer is JSON, so its body has to be text. */
function bufferedHandler(handler: ApiHandler): ApiHandler {
  return async (event, context) => {
    const { bytes, ...answer } = await handler(event, context)
    return bytes ? { ...answer, body: bytes.toString('utf8') } : answer
  }
}

/**
 * Streams every answer of an endpoint, errors included, because the gateway invokes a function in one mode (gateway-document.ts). A stream
 * that fails makes the invocation fail, and the gateway cuts the answer off.
 */
function streamingHandler(handler: ApiHandler, { log }: Kernel): StreamifyHandler<APIGatewayProxyEvent, void> {
  return awslambda.streamifyResponse(async (event: APIGatewayProxyEvent, output, context) => {
    const { statusCode, headers, body, isBase64Encoded, stream } = await handler(event, context)
    const answer = awslambda.HttpResponseStream.from(output, { statusCode, headers })
    // Lambda sends status and headers with the first write. An empty body would have none.
    answer.write('')
    try {
      await pipeline(stream ?? [Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')], answer)
    } catch (error) {
      log.error('the answer broke off', { id: event.requestContext.requestId, error })
      throw error
    }
  })
}

/** The Lambda handler of requests for no endpoint. */
export function fallback(): ApiHandler {
  return fallbackHandler(lambdaKernel())
}

/** The kernel's settings and services in a Lambda process. */
export function lambdaKernel(): Kernel {
  const originKeyHash = process.env.ORIGIN_KEY_HASH
  return { ...lambdaProcess(), ...(originKeyHash ? { originKeyHash } : {}) }
}
