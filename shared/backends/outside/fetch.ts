import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostNames, type NameQuestion, type ResolveName } from './names.ts'

/** Most bytes of an answer's headers. */
const MAX_HEADER_BYTES = 16 * 1024

/** This service may not connect to the host's address. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  constructor(host: string) {
    super(`${host} is in a network that is not allowed`)
  }
}

/** The answer has too many bytes. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
}

export interface OutsideOptions {
  /** Whether the service may connect to a network address. */
  permits: (address: string) => boolean
  resolve?: ResolveName
}

export interface OutsideRequest {
  /** Who named the host: name lookups take turns by it. */
  from: string
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | URLSearchParams | null | undefined
  /** Aborts the request, and the reading of its answer. */
  signal?: AbortSignal | undefined
}

/**
 * Sends requests to hosts that a third party names. Resolves the host once, refuses it if any of its addresses isn't permitted, and
 * connects to these addresses only, so that DNS rebinding has no effect. Follows no redirect.
 */
export function outsideRequests({ permits, resolve = hostNames() }: OutsideOptions) {
  const permitted =
    (question: NameQuestion): LookupFunction =>
    (host, { all }, done) => {
      resolve(host, question).then(
        (found) => {
          const [first] = found
          if (!first || !found.every(({ address }) => permits(address))) done(new AddressRefused(host), [])
          else if (all) done(null, found)
          else done(null, first.address, first.family)
        },
        (error) => done(error, []),
      )
    }

  /** @returns the answer, whose body is still to be read @throws AddressRefused, errors of the network, the reason of `signal` */
  return async (address: string, { from, method = 'GET', headers, body, signal }: OutsideRequest): Promise<IncomingMessage> => {
    const url = new URL(address)
    const host = hostOf(url)
    // IP addresses never reach `lookup`.
    if (isIP(host) && !permits(host)) throw new AddressRefused(host)
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const lookup = permitted({ from, signal })
    const options = { method, headers: { ...headers }, lookup, agent: false, maxHeaderSize: MAX_HEADER_BYTES }
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>()
    const request = send(url, { ...options, ...(signal && { signal }) }, answered)
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
    // A protocol switch emits neither `error` nor `response`.
    request.on('close', () => reject(Object.assign(new Error(`${host} closed the connection`), { code: 'ECONNRESET' })))
    request.end(body instanceof URLSearchParams ? body.toString() : (body ?? undefined))
    return promise
  }
}

/** A `fetch` for hosts that a third party names, with the rules of `outsideRequests`. @param options.maxBytes largest answer */
export function outsideFetch({ maxBytes, ...options }: OutsideOptions & { maxBytes: number }) {
  const send = outsideRequests(options)

  /** @throws AddressRefused, AnswerTooLarge, errors of the network, the reason of `signal` */
  return async (address: string, request: OutsideRequest): Promise<Response> => {
    const answer = await send(address, request)
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > maxBytes) throw new AnswerTooLarge(`${hostOf(new URL(address))} answers more than ${maxBytes} bytes`)
        chunks.push(chunk)
      }
    } catch (error) {
      throw request.signal?.aborted ? request.signal.reason : error
    }
    const { statusCode = 502, rawHeaders } = answer
    const labels = new Headers()
    for (let at = 0; at < rawHeaders.length; at += 2) labels.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    const isEmpty = [204, 205, 304].includes(statusCode)
    return new Response(isEmpty ? null : Buffer.concat(chunks), { status: statusCode, headers: labels })
  }
}

/** The host without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
