import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** How long a client may read nothing before its connection is closed, in milliseconds. */
const IDLE_TIMEOUT = 60_000

/** Closes the connection of a client that reads nothing of its answer for too long, so that it doesn't hold the answer for ever. */
export function cutOffIdle(response: ServerResponse): void {
  response.setTimeout(IDLE_TIMEOUT, () => response.destroy())
}

/**
 * Sends a stream to its end. What fails in the middle cuts the connection, so that no client takes a part for the whole; a client that goes
 * away, or reads nothing, ends the stream.
 * @throws what the stream failed with
 */
export async function sendStream(stream: Readable, response: ServerResponse): Promise<void> {
  let clientIsGone = response.destroyed
  cutOffIdle(response)
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
