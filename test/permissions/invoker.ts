import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A function that another one invoked asynchronously. */
export interface Invocation {
  /** Its name. */
  name: string
  event: unknown
}

/** Takes asynchronous invocations in Lambda's place, until somebody runs them. */
export interface Invoker {
  url: string
  /** The invocations since the last call. */
  take(): Invocation[]
  stop(): Promise<void>
}

/** Source: Lambda API Reference, "Invoke". */
export const INVOCATION = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/

export async function openInvoker(): Promise<Invoker> {
  const taken: Invocation[] = []
  const server = createServer(async (request, response) => {
    const [, name] = INVOCATION.exec(request.url ?? '') ?? []
    const isAsynchronous = request.headers['x-amz-invocation-type'] === 'Event'
    const body = await text(request)
    if (name && isAsynchronous) taken.push({ name, event: JSON.parse(body) })
    response.writeHead(name && isAsynchronous ? 202 : 400).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => taken.splice(0),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
