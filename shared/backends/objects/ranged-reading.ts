import { buffer } from 'node:stream/consumers'
import { ObjectChanged, type ObjectReader, ObjectsUnavailable } from './port.ts'

/** An object that must not change: it is not read with another ETag. */
export interface FixedObject {
  key: string
  etag: string
  bytes: number
}

/** Bytes of one request, and parallel requests; their product is in memory. One stream from S3 has about 80 MB/s. */
const PIECE_BYTES = 16 * 1024 ** 2
const AHEAD = 4
const ATTEMPTS = 3

/**
 * Reads a range of an object in order, several pieces ahead. Retries a piece whose connection breaks, so that a long read survives it.
 * @param range end not included; the whole object by default
 * @throws ObjectChanged, ObjectMissing, ObjectsUnavailable
 */
export async function* readInOrder(
  objects: ObjectReader,
  object: FixedObject,
  { start, end } = { start: 0, end: object.bytes },
): AsyncGenerator<Buffer> {
  const ahead: Promise<Buffer>[] = []
  let next = start
  while (next < end || ahead.length > 0) {
    for (; next < end && ahead.length < AHEAD; next += PIECE_BYTES) {
      const piece = readPiece(objects, object, next, Math.min(next + PIECE_BYTES, end))
      // Avoids an unhandled rejection before the piece is awaited in its turn.
      piece.catch(() => undefined)
      ahead.push(piece)
    }
    yield await ahead.shift()!
  }
}

async function readPiece(objects: ObjectReader, { key, etag }: FixedObject, start: number, end: number): Promise<Buffer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const got = await objects.get(key, { start, end: end - 1 })
      if (got.etag !== etag) {
        got.stream.destroy()
        throw new ObjectChanged(key)
      }
      const piece = await buffer(got.stream)
      if (piece.length === end - start) return piece
      throw new ObjectsUnavailable(`${key} broke off`)
    } catch (error) {
      if (error instanceof ObjectChanged || attempt === ATTEMPTS) throw error
    }
  }
}
