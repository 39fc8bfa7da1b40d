import { pipeline } from 'node:stream/promises'
import { type ApiResult, bytesOf, header, type Middleware, setHeaders } from '../protocol/exchange.ts'

/** Smallest body that is compressed, in bytes. Of smaller ones API Gateway compresses those from 1 KiB on. */
export const COMPRESSED_FROM = 100 * 1024

/**
 * The codings, the one that costs least first. Measured with a list of 100,000 folders of 18 MB: zstd 21 ms to 7 %, gzip of level 1 40 ms to
 * 8 %, of level 6 94 ms to 7 %, brotli of level 1 33 ms to 8 %, of level 4 200 ms to 7 %. Who takes brotli takes gzip.
 */
const codings = ['zstd', 'gzip'] as const

/** Bytes of compressed text that come at once. */
const chunkSize = 128 * 1024

export type Coding = (typeof codings)[number]

/**
 * Compresses large text where the client takes it, on a thread of Node's pool: other requests don't wait for it.
 *
 * An answer may hold what its request said beside what only its caller may read. That is no leak by its length (BREACH): no other site can make
 * a browser send requests with somebody's authorization. A session's cookie counts in requests of our own pages alone (credentials.ts).
 */
export function compression(): Middleware {
  return {
    // Asynchronous for large answers alone: no other waits for a turn.
    after: ({ event, response }) => (response && isLargeText(response) ? compress(response, header(event, 'accept-encoding')) : undefined),
  }
}

async function compress(response: ApiResult, accepted: string | undefined): Promise<void> {
  setHeaders(response, { Vary: 'Origin, Accept-Encoding' })
  const coding = codingFor(accepted)
  if (!coding) return
  response.pieces = await compressed(response.pieces ?? [Buffer.from(response.body)], coding)
  response.body = ''
  setHeaders(response, { 'Content-Encoding': coding })
}

function isLargeText({ body, pieces, headers, isBase64Encoded }: ApiResult): boolean {
  if (isBase64Encoded || headers?.['Content-Encoding'] !== undefined) return false
  return pieces ? bytesOf(pieces) >= COMPRESSED_FROM : body.length >= COMPRESSED_FROM || Buffer.byteLength(body) >= COMPRESSED_FROM
}

/** @param pieces of a text, which stay as they are */
export async function compressed(pieces: readonly Buffer[], coding: Coding): Promise<Buffer[]> {
  // Loaded when it is needed: most functions of a cold start never answer anything large.
  const { createGzip, createZstdCompress, constants } = await import('node:zlib')
  const coder = coding === 'zstd' ? createZstdCompress({ chunkSize }) : createGzip({ chunkSize, level: constants.Z_BEST_SPEED })
  const coded: Buffer[] = []
  await pipeline(pieces, coder, async (chunks) => {
    for await (const chunk of chunks) coded.push(chunk)
  })
  return coded
}

/** The coding that a client with this `Accept-Encoding` likes best. `*` counts for nothing: who takes a coding names it, also beside `identity`. */
export function codingFor(accepted = ''): Coding | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => [part.split(';')[0]!.trim(), Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1)]),
  )
  const weight = (coding: string) => weights.get(coding) ?? 0
  const [best] = codings.toSorted((a, b) => weight(b) - weight(a))
  return weight(best!) > 0 ? best : undefined
}
