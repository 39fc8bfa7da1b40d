import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'

/** Bytes read from a file at a time. */
const READ_BYTES = 1024 * 1024

/** The checksums and the size of a file's bytes. */
export interface Digest {
  /** Lower-case hex. */
  md5: string
  /** Unsigned, as in ZIP archives. */
  crc32: number
  bytes: number
}

/** The MD5 of a stream's bytes, in lower-case hex. Holds one piece in memory. */
export async function md5Of(source: Readable): Promise<string> {
  const md5 = createHash('md5')
  for await (const chunk of source) md5.update(chunk)
  return md5.digest('hex')
}

/** The CRC-32 of a file's bytes, unsigned. Reuses one buffer: a stream takes twice as long. */
export async function crc32OfFile(path: string): Promise<number> {
  await using file = await open(path)
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  let crc = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer)
    if (bytesRead === 0) return crc
    crc = crc32(buffer.subarray(0, bytesRead), crc)
  }
}

/** Writes a stream to a new file and digests it. If the stream fails, an incomplete file is left behind. */
export async function saveWithDigest(source: Readable, path: string): Promise<Digest> {
  const digesting = new Digesting()
  await pipeline(digesting.passing(source), createWriteStream(path, { flags: 'wx' }))
  return digesting.end()
}

/** Digests bytes without storing them. */
export async function digestOf(pieces: AsyncIterable<Buffer>): Promise<Digest> {
  const digesting = new Digesting()
  for await (const piece of pieces) digesting.update(piece)
  return digesting.end()
}

/** Incremental digest. */
export class Digesting {
  readonly #md5 = createHash('md5')
  #crc32 = 0
  #bytes = 0

  update(piece: Uint8Array): void {
    this.#md5.update(piece)
    this.#crc32 = crc32(piece, this.#crc32)
    this.#bytes += piece.length
  }

  /** Digests pieces and passes them on. */
  async *passing(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.update(piece)
      yield piece
    }
  }

  /** The digest of all bytes so far. */
  end(): Digest {
    return { md5: this.#md5.digest('hex'), crc32: this.#crc32, bytes: this.#bytes }
  }
}
