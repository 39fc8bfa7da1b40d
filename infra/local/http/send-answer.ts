import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface Answer {
  status: number
  headers: OutgoingHttpHeaders
  /** Absent where there is nothing to say. A stream must be sent or destroyed. */
  body?: Readable | readonly Uint8Array[] | Uint8Array | string
}

/** How long a client may read nothing before its connection is closed, in milliseconds. */
const IDLE_TIMEOUT = 60_000

/**
 * Sends an answer, of one to HEAD the headers alone. A client that reads nothing of it for too long is cut off, so that it doesn't hold the
 * answer for ever.
 * @throws what a stream failed with
 */
export async function sendAnswer({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  response.writeHead(status, headers)
  if (method === 'HEAD' || body === undefined) {
    if (body instanceof Readable) body.destroy()
    response.end()
    return
  }
  if (typeof body === 'string') {
    response.end(body)
    return
  }
  response.setTimeout(IDLE_TIMEOUT, () => response.destroy())
  if (body instanceof Readable) await sendStream(body, response)
  else if (body instanceof Uint8Array) response.end(body)
  else sendPieces(body, response)
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

/** Sends pieces without a copy of them, in one write. */
function sendPieces(pieces: readonly Uint8Array[], response: ServerResponse): void {
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
}
