import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { listening } from './listening.ts'

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
  const { url, stop } = await listening(server)
  afterAll(stop)
  return {
    url: `${url}/`,
    received,
    answerBy(other: Answering) {
      answer = other
    },
  }
}
