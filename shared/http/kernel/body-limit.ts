import { TooLarge } from '../../library/errors.ts'
import { type Endpoint, maxBodyBytesOf } from '../declaration/endpoint.ts'
import type { Middleware } from '../protocol/exchange.ts'

/**
 * Refuses bodies that are too large for the endpoint. It comes before authentication, because the server of one machine doesn't read such a
 * body to its end: on AWS the answer is the same.
 */
export function bodyLimit(endpoint: Pick<Endpoint, 'body' | 'maxBodyBytes'>): Middleware {
  const maxBytes = maxBodyBytesOf(endpoint)
  return {
    before: ({ event: { body, isBase64Encoded } }) => {
      if (Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8') > maxBytes) {
        throw new TooLarge(`The body is larger than ${maxBytes} bytes.`)
      }
    },
  }
}
