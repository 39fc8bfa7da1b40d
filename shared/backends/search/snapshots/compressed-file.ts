import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline as pipe, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { ObjectsUnavailable } from '../../objects/port.ts'
import { DamagedSnapshot, type IndexSnapshot } from './port.ts'

/** Bytes of a ranged read. */
const RANGE_BYTES = 8 * 1024 ** 2
/** Ranges that are read in parallel. One connection to S3 brings some 90 MB a second. */
const READ_AT_A_TIME = 8
/** Attempts to read a range: a connection may break off in the middle. */
const ATTEMPTS = 3
/** Bytes of a chunk that zlib works on in its thread. */
const CHUNK_BYTES = 1024 ** 2

const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }

/** The bytes of a file as a stream of zstd, with a checksum. The file must not change. */
export function compressed(path: string): Readable {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  // The stream that it returns is destroyed with the error of the file.
  return pipe(file, createZstdCompress({ params, chunkSize: CHUNK_BYTES }), () => undefined)
}

/**
 * Writes the file of a snapshot to a new path.
 * @throws DamagedSnapshot, ObjectsUnavailable, errors of the disk; then there may be a part of it
 */
export async function unpack(snapshot: IndexSnapshot, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: RANGE_BYTES })
  let bytes = 0
  const measured = async function* (content: AsyncIterable<Buffer>) {
    for await (const chunk of content) {
      bytes += chunk.length
      if (bytes > snapshot.bytes) throw damaged(snapshot, 'it is larger than the record says')
      yield chunk
    }
  }
  try {
    await pipeline(ranges(snapshot), createZstdDecompress({ chunkSize: CHUNK_BYTES }), measured, file)
  } catch (error) {
    throw isOfZlib(error) ? damaged(snapshot, "it can't be decompressed", error) : error
  }
  if (bytes < snapshot.bytes) throw damaged(snapshot, 'it is smaller than the record says')
}

/** The bytes of the copy in order. */
async function* ranges(snapshot: IndexSnapshot): AsyncGenerator<Buffer> {
  const reading: Promise<Buffer>[] = []
  try {
    for (let start = 0; start < snapshot.stored || reading.length > 0; ) {
      while (start < snapshot.stored && reading.length < READ_AT_A_TIME) {
        const range = read(snapshot, start, Math.min(start + RANGE_BYTES, snapshot.stored) - 1)
        // A failure before its turn is thrown in its turn.
        range.catch(() => undefined)
        reading.push(range)
        start += RANGE_BYTES
      }
      yield await reading[0]!
      reading.shift()
    }
  } finally {
    await Promise.allSettled(reading)
  }
}

async function read(snapshot: IndexSnapshot, start: number, end: number): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      const bytes = Buffer.concat(await (await snapshot.read(start, end)).toArray())
      if (bytes.length !== end - start + 1) throw damaged(snapshot, `its bytes ${start} to ${end} are not all there`)
      return bytes
    } catch (error) {
      if (error instanceof DamagedSnapshot) throw error
      if (attempt === ATTEMPTS) throw new ObjectsUnavailable(`snapshot ${snapshot.name} could not be read`, { cause: error })
    }
  }
}

const isOfZlib = (error: unknown): boolean => error instanceof Error && 'code' in error && /^(ZSTD_|Z_)/i.test(String(error.code))

function damaged({ name }: IndexSnapshot, why: string, cause?: unknown): DamagedSnapshot {
  return new DamagedSnapshot(`snapshot ${name}: ${why}`, { cause })
}
