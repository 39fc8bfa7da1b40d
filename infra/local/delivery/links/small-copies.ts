import type { KnownObjects, ObjectInfo } from '../../../../shared/backends/objects/port.ts'
import { RecentlyUsed } from '../../../../shared/recently-used.ts'

/** Bytes of all copies in memory, and of the largest one. */
const MEMORY = 64 * 1024 ** 2
const LARGEST = 1024 ** 2

/** The bytes of small copies in memory, because most of the time that one takes is that of opening its file. They are kept by their tag. */
export class SmallCopies {
  readonly #publicFiles: KnownObjects
  readonly #kept = new RecentlyUsed<Uint8Array>(MEMORY, ({ length }) => length)

  constructor(publicFiles: KnownObjects) {
    this.#publicFiles = publicFiles
  }

  /**
   * @param copy as the bucket has it at this moment
   * @returns undefined for a large one, and for one that was replaced meanwhile
   * @throws ObjectMissing
   */
  async find({ key, etag, bytes }: ObjectInfo): Promise<Uint8Array | undefined> {
    if (bytes > LARGEST) return undefined
    const kept = this.#kept.get(etag)
    if (kept) return kept
    const read = await this.#publicFiles.get(key)
    if (read.etag !== etag) {
      read.stream.destroy()
      return undefined
    }
    const data = Buffer.concat(await read.stream.toArray())
    this.#kept.set(etag, data)
    return data
  }
}
