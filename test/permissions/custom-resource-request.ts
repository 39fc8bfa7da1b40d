import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { CloudFormationCustomResourceResponse } from 'aws-lambda'
import type { Json } from '../infra/stack/synthesized.ts'
import type { RunningFunction } from './running-function.ts'

/**
 * Asks a custom resource as CloudFormation does: with a URL to put the answer to.
 * @throws Error with its reason when it failed
 */
export async function customResourceRequest(
  fn: RunningFunction,
  type: 'Create' | 'Update' | 'Delete',
  { id, properties }: { id: string; properties: Json },
): Promise<{ attributes: Record<string, string> }> {
  const { promise: answered, resolve } = Promise.withResolvers<CloudFormationCustomResourceResponse>()
  const server = createServer(async (request, response) => {
    const answer = (await json(request)) as CloudFormationCustomResourceResponse
    // The URL is signed without a content type.
    const isTaken = request.headers['content-type'] === undefined
    response.writeHead(isTaken ? 200 : 403).end()
    if (isTaken) resolve(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const ResponseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const [answer] = await Promise.all([
      answered,
      fn.invoke({
        RequestType: type,
        ResponseURL,
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: id,
        ResourceProperties: properties,
      }),
    ])
    if (answer.Status !== 'SUCCESS') throw new Error(`${id}: ${answer.Reason}`)
    return { attributes: (answer.Data ?? {}) as Record<string, string> }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
