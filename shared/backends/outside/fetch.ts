import { lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

/** The host's address is not one that this service may connect to. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
}

/** The answer has more bytes than are taken. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
}

export interface OutsideRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | URLSearchParams | null | undefined
  /** Ends the request, and the reading of its answer. */
  signal?: AbortSignal | undefined
}

/**
 * Makes a `fetch` for hosts that somebody else names. Each request resolves the host once and is refused where any of its addresses isn't
 * permitted; it connects to those very addresses, so that a second answer of the name server leads nowhere else. It follows no redirect.
 * @param permits which network addresses it may connect to
 * @param maxBytes of an answer
 */
export function outsideFetch({ permits, maxBytes }: { permits: (address: string) => boolean; maxBytes: number }) {
  const permitted: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      if (!found.every(({ address }) => permits(address)))
        return done(new AddressRefused(`${host} is in a network that is not allowed`), [])
      const [{ address, family } = { address: '', family: 0 }] = found
      if (options.all) done(null, found)
      else done(null, address, family)
    })
  }

  /** @throws AddressRefused, AnswerTooLarge, errors of the network, the reason of `signal` */
  return async (address: string, { method = 'GET', headers, body, signal }: OutsideRequest = {}): Promise<Response> => {
    const url = new URL(address)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // A literal address is never looked up.
    if (isIP(host) && !permits(host)) throw new AddressRefused(`${host} is in a network that is not allowed`)
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url, { method, headers: { ...headers }, lookup: permitted, agent: false, ...(signal && { signal }) }, resolve)
      request.on('error', reject)
      request.end(body instanceof URLSearchParams ? body.toString() : (body ?? undefined))
    }).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error
    })
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > maxBytes) throw new AnswerTooLarge(`${host} answers more than ${maxBytes} bytes`)
        chunks.push(chunk)
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
    const { statusCode = 502, rawHeaders } = answer
    const labels = new Headers()
    for (let at = 0; at < rawHeaders.length; at += 2) labels.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    const isEmpty = [204, 205, 304].includes(statusCode)
    return new Response(isEmpty ? null : Buffer.concat(chunks), { status: statusCode, headers: labels })
  }
}
