import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { combineCrc32 } from '../../crc32.ts'

/** Large, because each read or write switches threads. */
const BLOCK_BYTES = 1024 ** 2

/** Appends to a file in large blocks. Writes one block while filling the next. */
export class BlockWriter {
  readonly #handle: FileHandle
  #block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  #spare = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  #filled = 0
  #written: number
  #writing: Promise<void> = Promise.resolve()
  #failure: { reason: unknown } | undefined

  /** @param position in the file at which to start */
  constructor(handle: FileHandle, position: number) {
    this.#handle = handle
    this.#written = position
  }

  /** Position of the next byte. */
  get position(): number {
    return this.#written + this.#filled
  }

  /** @returns the CRC-32 of the bytes */
  async append(bytes: Uint8Array): Promise<number> {
    for (let at = 0; at < bytes.length; ) {
      const room = await this.#room()
      const piece = bytes.subarray(at, at + room.length)
      room.set(piece)
      this.#filled += piece.length
      at += piece.length
    }
    return crc32(bytes)
  }

  /** @returns the CRC-32 of all the bytes */
  async appendAll(pieces: AsyncIterable<Uint8Array>): Promise<number> {
    let crc = 0
    for await (const piece of pieces) crc = combineCrc32(crc, await this.append(piece), piece.length)
    return crc
  }

  /** Resolves when the operating system has all appended bytes. */
  async flush(): Promise<void> {
    await this.#writeBlock()
    await this.#writing
    if (this.#failure) throw this.#failure.reason
  }

  /** The unused rest of the current block; never empty. */
  async #room(): Promise<Buffer> {
    if (this.#filled === BLOCK_BYTES) await this.#writeBlock()
    return this.#block.subarray(this.#filled)
  }

  async #writeBlock(): Promise<void> {
    await this.#writing
    if (this.#failure) throw this.#failure.reason
    const block = this.#block
    this.#writing = writeAll(this.#handle, block.subarray(0, this.#filled), this.#written).catch((reason: unknown) => {
      this.#failure = { reason }
    })
    this.#written += this.#filled
    this.#filled = 0
    this.#block = this.#spare
    this.#spare = block
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
