import { TooLarge } from '../../library/errors.ts'
import { type Endpoint, maxBodyBytesOf } from '../endpoint.ts'
import type { Middleware } from '../exchange.ts'

/**
 * Refuses bodies of more bytes than the endpoint takes. It comes before authentication, because the single machine doesn't read such a
 * body to its end: in both homes the answer is the same, whoever asks.
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
