import { type KnownObjects, type ObjectBody, ObjectMissing } from '../../../../shared/backends/objects/port.ts'
import { RecentlyUsed } from '../../../../shared/recently-used.ts'

/** Objects that are kept parsed. */
const KEPT = 10_000

/**
 * Small objects of the public bucket, parsed, as they are at this moment: one look into its index tells whether the one that was read before still
 * holds. So nothing old is ever served, and what is gone is gone at once.
 */
export class ParsedObjects<Value> {
  readonly #publicFiles: KnownObjects
  readonly #parse: (bytes: Uint8Array, object: Pick<ObjectBody, 'modified'>) => Value
  readonly #read = new RecentlyUsed<{ etag: string; modified: number; value: Value }>(KEPT, () => 1)

  constructor(publicFiles: KnownObjects, parse: (bytes: Uint8Array, object: Pick<ObjectBody, 'modified'>) => Value) {
    this.#publicFiles = publicFiles
    this.#parse = parse
  }

  /** @returns undefined when there is no such object */
  async find(key: string): Promise<Value | undefined> {
    const found = await this.#publicFiles.head(key)
    if (!found) return undefined
    const known = this.#read.get(key)
    if (known?.etag === found.etag && known.modified === found.modified) return known.value
    return this.#readAnew(key)
  }

  async #readAnew(key: string): Promise<Value | undefined> {
    try {
      const { stream, etag, modified } = await this.#publicFiles.get(key)
      const value = this.#parse(Buffer.concat(await stream.toArray()), { modified })
      this.#read.set(key, { etag, modified, value })
      return value
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined
      throw error
    }
  }
}
