import { type KnownObjects, ObjectMissing } from '../../../../shared/backends/objects/port.ts'
import { readManifest, type StoredManifest } from '../../../../shared/library/links/manifest.ts'
import { publicKeys } from '../../../../shared/library/links/public-keys.ts'
import { RecentlyUsed } from '../../../../shared/recently-used.ts'
import type { LinkId } from '../../../../shared/vocabulary/ids.ts'

/** Names a link. */
export interface LinkName {
  alias: string
  linkId: LinkId
}

/** Manifests that are kept parsed. */
const KEPT = 10_000

/**
 * Finds the manifest of a link as it is at this moment: one look into the index of the public bucket tells whether the one that was read before
 * still holds. So nothing old is ever served, and a link that ended is gone at once.
 */
export class Manifests {
  readonly #publicFiles: KnownObjects
  readonly #read = new RecentlyUsed<{ etag: string; manifest: StoredManifest }>(KEPT, () => 1)

  constructor(publicFiles: KnownObjects) {
    this.#publicFiles = publicFiles
  }

  /** @returns undefined when there is no such link */
  async find(link: LinkName): Promise<StoredManifest | undefined> {
    const key = publicKeys.manifest(link)
    const found = await this.#publicFiles.head(key)
    if (!found) return undefined
    const known = this.#read.get(key)
    if (known?.etag === found.etag && known.manifest.modified === found.modified) return known.manifest
    return this.#readAnew(key)
  }

  async #readAnew(key: string): Promise<StoredManifest | undefined> {
    try {
      const { stream, etag, modified } = await this.#publicFiles.get(key)
      const manifest = { ...readManifest(Buffer.concat(await stream.toArray())), modified }
      this.#read.set(key, { etag, manifest })
      return manifest
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined
      throw error
    }
  }
}
