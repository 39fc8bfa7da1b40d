import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'

/** The body has more bytes than allowed. The rest was not read. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge'
}

/** The body didn't arrive in time. */
export class BodyTooSlow extends Error {
  override name = 'BodyTooSlow'
}

/** The client went away before all had arrived. */
export class BodyCutOff extends Error {
  override name = 'BodyCutOff'
}

/**
 * Reads a request's whole body.
 * @throws BodyTooLarge as soon as it is clear, BodyTooSlow, BodyCutOff
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  // Neither header: there is no body (RFC 9112, 6.3).
  if (length === undefined && encoding === undefined) return NOTHING
  if (Number(length ?? 0) > maxBytes) throw new BodyTooLarge()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let bytes = 0
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) reject(new BodyTooLarge())
  }
  const onEnd = () => {
    resolve(Buffer.concat(chunks, bytes))
    // Now, not in `finally`: the request closes right after its end, before the awaiting code runs.
    request.off('close', onClose)
  }
  const onClose = () => reject(new BodyCutOff())
  const timer = setTimeout(() => reject(new BodyTooSlow()), timeoutMs)
  request.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', onClose)
  }
}

const NOTHING = Buffer.alloc(0)

/**
 * Reads and discards what a refused client still sends, until it ends or reaches a limit. Many clients would otherwise see a connection
 * reset instead of the answer, because they write into a connection that is being closed.
 */
export async function discard(request: IncomingMessage, { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number }): Promise<void> {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) request.destroy()
  })
  await finished(request, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => request.destroy())
}
