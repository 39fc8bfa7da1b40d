import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { requestLimits } from '../../shared/backends/aws/request-limits.ts'
import { listening } from './listening.ts'

/** A request as it arrived. */
export interface Received {
  method: string
  /** Path and query. */
  url: string
  /** The header; empty where there is none. */
  authorization: string
  body: string
}

/** Answers a request, or does not. */
export type Answer = (response: ServerResponse) => void

export const never: Answer = () => {}
export const breaking: Answer = (response) => response.destroy()

/**
 * Stands in for a service, until the test is over: gives one answer after the other, the last one again and again.
 * @returns its address, and what it has received so far
 */
export async function answering(...answers: Answer[]): Promise<{ endpoint: string; received: Received[] }> {
  const received: Received[] = []
  const answered = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    received.push({ method, url, authorization: headers.authorization ?? '', body: await text(request) })
    answers[Math.min(received.length, answers.length) - 1]?.(response)
  }
  const server = createServer((request, response) => void answered(request, response))
  const { url: endpoint, stop } = await listening(server)
  onTestFinished(stop)
  return { endpoint, received }
}

/** How a client of AWS is made that talks to what stands in for its service, and gives up soon. */
export const clientOf = (endpoint: string, region = 'eu-west-1') => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  requestHandler: requestLimits(500),
  maxAttempts: 2,
})
