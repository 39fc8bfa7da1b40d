import { buffer } from 'node:stream/consumers'
import { ObjectChanged, type ObjectReader, ObjectsUnavailable } from './port.ts'

/** An object of a bucket that doesn't change: with another ETag it is not read. */
export interface FixedObject {
  key: string
  etag: string
  bytes: number
}

/** Bytes of one request, and requests at a time: so much is in memory. One stream of S3 gives some 80 MB/s. */
const PIECE_BYTES = 16 * 1024 ** 2
const AHEAD = 4
/** Attempts at a piece. */
const ATTEMPTS = 3

/**
 * Reads a range of an object in order, several pieces ahead. A piece that breaks off is read again, so a long reading isn't lost with a
 * connection.
 * @param range its end isn't included; the whole object by default
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
      // Awaited in its turn; until then its failure is nobody's.
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
