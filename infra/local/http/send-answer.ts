import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface Answer {
  status: number
  headers: OutgoingHttpHeaders
  /** Absent where there is nothing to say. A stream must be sent or destroyed. */
  body?: Readable | readonly Uint8Array[] | Uint8Array | string
}

/**
 * Bytes of the largest body that is sent in one piece, and of each piece of a larger one. So one sees how much of it a client has taken: the
 * slowest that may be takes a piece in little more than a window of its pace. Smaller pieces cost more.
 */
const PIECE = 64 * 1024

/** Bytes of bodies in memory that are being sent in pieces. */
const held = new WeakMap<ServerResponse, number>()

/** Bytes of an answer that are in memory until its client has taken all; 0 for those of a stream. */
export const bytesHeld = (response: ServerResponse): number => held.get(response) ?? 0

/**
 * Sends an answer, of one to HEAD the headers alone.
 * @throws what a stream failed with
 */
export async function sendAnswer({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  response.writeHead(status, headers)
  if (method === 'HEAD' || body === undefined) {
    if (body instanceof Readable) body.destroy()
    response.end()
  } else if (body instanceof Readable) await sendStream(body, response)
  else if (body.length <= PIECE && (typeof body === 'string' || body instanceof Uint8Array)) response.end(body)
  else await sendInPieces(bytesOf(body), response)
}

function bytesOf(body: readonly Uint8Array[] | Uint8Array | string): readonly Uint8Array[] {
  if (typeof body === 'string') return [Buffer.from(body)]
  return body instanceof Uint8Array ? [body] : body
}

function sendInPieces(body: readonly Uint8Array[], response: ServerResponse): Promise<void> {
  held.set(
    response,
    body.reduce((sum, { length }) => sum + length, 0),
  )
  return sendStream(Readable.from(piecesOf(body)), response)
}

function* piecesOf(body: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of body) for (let at = 0; at < part.length; at += PIECE) yield part.subarray(at, at + PIECE)
}

/**
 * Sends a stream to its end. What fails in the middle cuts the connection, so that no client takes a part for the whole; a client that goes
 * away ends the stream.
 */
async function sendStream(stream: Readable, response: ServerResponse): Promise<void> {
  let clientIsGone = response.destroyed
  response.once('close', () => {
    clientIsGone = stream.errored === null
  })
  try {
    await pipeline(stream, response)
  } catch (error) {
    // A client may stop reading, as players do when they seek. That is no failure.
    if (!clientIsGone) throw error
  }
}
