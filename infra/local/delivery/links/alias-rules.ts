import type { KnownObjects } from '../../../../shared/backends/objects/port.ts'
import { parseAliasPresets, type StoredPresets } from '../../../../shared/library/links/presets.ts'
import { publicKeys } from '../../../../shared/library/links/public-keys.ts'
import { ParsedObjects } from './parsed-objects.ts'

/** Finds the presets of an alias, and whether it shows pictures by them alone, as they are at this moment. */
export class AliasRules {
  readonly #objects: ParsedObjects<StoredPresets>

  constructor(publicFiles: KnownObjects) {
    this.#objects = new ParsedObjects(publicFiles, (bytes, { modified }) => parseAliasPresets(bytes, modified))
  }

  /** @returns undefined where nothing is said of the alias */
  async find(alias: string): Promise<StoredPresets | undefined> {
    return this.#objects.find(publicKeys.presets(alias))
  }
}
