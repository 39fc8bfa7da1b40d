import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders
  body: string
  /** UNIX milliseconds */
  at: number
}

/** How a receiver answers a request. @param n its number, from 0 */
export type Answering = (response: ServerResponse, n: number) => void

const accept: Answering = (response) => response.writeHead(204).end()

/** A server of this machine that gets webhooks, until the tests of the file end. */
export async function webhookReceiver(answering: Answering = accept) {
  const received: Received[] = []
  let answer = answering
  const server = createServer(async (request, response) => {
    const { headers } = request
    response.on('error', () => undefined)
    const body = await text(request)
    received.push({ headers, body, at: Date.now() })
    answer(response, received.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    answerBy(other: Answering) {
      answer = other
    },
  }
}
