import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { APIGatewayProxyEventV2, StreamifyHandler } from 'aws-lambda'
import { lambdaProcess } from '../lambda-process.ts'
import { type Backend, grantedOf } from '../resources.ts'
import type { Origin } from './consumer.ts'
import type { OriginAnswer } from './origin.ts'

/**
 * The Lambda handler of an origin of the CDN, which calls it by the function's URL. It streams every answer: a function that returns one whole
 * can return 6 MB. infra/aws/bundling/entries.ts generates the call.
 */
export function originHandler(
  origin: Origin & { name: string },
  backend: Partial<Backend>,
): StreamifyHandler<APIGatewayProxyEventV2, void> {
  const { log: processLog, ...process } = lambdaProcess()
  const log = processLog.with({ function: origin.name })
  const granted = grantedOf(origin.uses, backend)
  return awslambda.streamifyResponse(async (event: APIGatewayProxyEventV2, output) => {
    const { requestContext, rawPath, rawQueryString, headers } = event
    const request = { path: asMade(rawPath), query: asMade(rawQueryString), headers }
    const {
      status,
      headers: labels,
      body,
    } = withoutBodyOfHead(requestContext.http.method, await origin.handle({ request, ...process, log, ...granted }))
    const answer = awslambda.HttpResponseStream.from(output, { statusCode: status, headers: { ...labels } })
    // Lambda sends status and headers with the first write. An empty body would have none.
    answer.write('')
    try {
      await pipeline(body instanceof Readable ? body : body ? [body] : [], answer)
    } catch (error) {
      log.error('the answer broke off', { id: requestContext.requestId, error })
      throw error
    }
  })
}

/** Paths and queries of the edge function have commas, colons and exclamation marks, which may be encoded on the way to a function's URL. */
const asMade = (text: string): string => text.replace(/%(?:2c|3a|21)/gi, decodeURIComponent)

function withoutBodyOfHead(method: string, answer: OriginAnswer): OriginAnswer {
  if (method !== 'HEAD') return answer
  const { body, ...head } = answer
  if (body instanceof Readable) body.destroy()
  return head
}
