import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { cutOffIdle, sendStream } from '../http/send-stream.ts'
import type { DeliveryAnswer } from './object-answer.ts'

/** Sends an answer, of one to HEAD the headers alone. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: DeliveryAnswer,
): Promise<void> {
  response.writeHead(status, headers)
  if (body instanceof Readable) await sendStream(body, response)
  else if (request.method === 'HEAD') response.end()
  else {
    cutOffIdle(response)
    response.end(body)
  }
}
