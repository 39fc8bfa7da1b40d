import { DiskFull, Invalid, TooLarge } from '../../library/errors.ts'
import { type Endpoint, maxBodyBytesOf } from '../declaration/endpoint.ts'
import { type ApiResult, bytesOf, type Kernel, type Middleware } from '../protocol/exchange.ts'

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

/** Bytes of an answer for all but its body: headers, of which an `Origin` may be returned that fills those of the request. */
const REST_BYTES = 16 * 1024

/**
 * Refuses to send an answer that is larger than a function's may be, and says how to ask for less. The gateway would make it a 502.
 * It does nothing on one machine, where answers have no limit.
 */
export function answerLimit({ maxAnswerBytes }: Kernel, { askForLess }: Pick<Endpoint, 'askForLess'>): Middleware {
  const maxBytes = (maxAnswerBytes ?? Number.POSITIVE_INFINITY) - REST_BYTES
  return {
    after: ({ response }) => {
      if (!response || isWithin(response, maxBytes)) return
      const compressed = response.headers?.['Content-Encoding'] !== undefined
      const hints = [askForLess, compressed ? undefined : 'It may fit where gzip is accepted.'].filter((hint) => hint !== undefined)
      const megabytes = Math.round(maxBytes / 1024 / 1024)
      throw new Invalid({ path: '', message: [`The answer is larger than ${megabytes} MB.`, ...hints].join(' ') }, 'answer_too_large')
    },
  }
}

/** Whether a body fits. In the answer of a function it is a JSON string: compressed bytes in base64, text with its quotes escaped. */
function isWithin({ body, pieces, headers, isBase64Encoded }: ApiResult, maxBytes: number): boolean {
  const plainBytes = pieces ? bytesOf(pieces) : Buffer.byteLength(body)
  if (isBase64Encoded || (pieces && headers?.['Content-Encoding'] !== undefined)) {
    return (pieces ? Math.ceil(plainBytes / 3) * 4 : plainBytes) <= maxBytes
  }
  // JSON holds no control characters, so escaping at most doubles it. Most answers need no exact count.
  if (plainBytes * 2 <= maxBytes) return true
  return plainBytes <= maxBytes && Buffer.byteLength(JSON.stringify(pieces ? Buffer.concat(pieces).toString() : body)) <= maxBytes
}

/** Refuses writes while the disk is full, except those that free space. */
export function diskLimit({ uses, freesSpace }: Pick<Endpoint, 'uses' | 'freesSpace'>, { isDiskFull }: Kernel): Middleware {
  const writes = uses.table?.startsWith('write') && !freesSpace
  return {
    before: () => {
      if (writes && isDiskFull?.()) throw new DiskFull()
    },
  }
}
