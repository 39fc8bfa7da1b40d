import { crc32 } from 'node:zlib'
import { createMD5, type IHasher } from 'hash-wasm'
import type { Digest } from './digest.ts'

/** The state of a digest after the first bytes of a file. Plain JSON: another process can continue from it. */
export type DigestState = {
  bytes: number
  crc32: number
  /** MD5 state in base64. */
  md5: string
}

/** Digests bytes like `Digesting`, but can export its state, unlike node:crypto. A fifth slower: 520 MB/s instead of 650. */
export class ResumableDigest {
  readonly #md5: IHasher
  #crc32 = 0
  #bytes = 0

  private constructor(md5: IHasher) {
    this.#md5 = md5
  }

  /** Continues from a state. Starts over without one, or with one from another version of the library. */
  static async from(state?: DigestState): Promise<ResumableDigest> {
    const digest = new ResumableDigest((await createMD5()).init())
    if (state) digest.#load(state)
    return digest
  }

  /** Bytes digested so far. */
  get bytes(): number {
    return this.#bytes
  }

  update(piece: Uint8Array): void {
    this.#md5.update(piece)
    this.#crc32 = crc32(piece, this.#crc32)
    this.#bytes += piece.length
  }

  state(): DigestState {
    return { bytes: this.#bytes, crc32: this.#crc32, md5: Buffer.from(this.#md5.save()).toString('base64') }
  }

  /** The digest of all bytes. Nothing can be added afterwards. */
  end(): Digest {
    return { bytes: this.#bytes, crc32: this.#crc32, md5: this.#md5.digest('hex') }
  }

  #load({ bytes, crc32, md5 }: DigestState): void {
    try {
      this.#md5.load(Buffer.from(md5, 'base64'))
    } catch {
      this.#md5.init()
      return
    }
    this.#bytes = bytes
    this.#crc32 = crc32
  }
}
