import type { KnownObjects } from '../../../../shared/backends/objects/port.ts'
import { readManifest, type StoredManifest } from '../../../../shared/library/links/manifest.ts'
import { publicKeys } from '../../../../shared/library/links/public-keys.ts'
import type { LinkId } from '../../../../shared/vocabulary/ids.ts'
import { ParsedObjects } from './parsed-objects.ts'

/** Names a link. */
export interface LinkName {
  alias: string
  linkId: LinkId
}

/** Finds the manifest of a link as it is at this moment. */
export class Manifests {
  readonly #objects: ParsedObjects<StoredManifest>

  constructor(publicFiles: KnownObjects) {
    this.#objects = new ParsedObjects(publicFiles, (bytes, { modified }) => ({ ...readManifest(bytes), modified }))
  }

  /** @returns undefined when there is no such link */
  async find(link: LinkName): Promise<StoredManifest | undefined> {
    return this.#objects.find(publicKeys.manifest(link))
  }
}
