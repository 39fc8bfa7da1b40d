import { SvelteMap } from 'svelte/reactivity'
import { namesOf } from '../folders/calls.ts'
import { tree } from '../folders/tree.svelte.ts'
import { language } from '../language/language.svelte.ts'

/** Names of folders that lists show. */
class FolderNames {
  readonly #names = new SvelteMap<number, string>()
  readonly #asked = new Set<number>()

  /** The first name of some folders, as far as they are known. */
  first(ids: readonly number[]): string {
    const names = ids.flatMap((id) => tree.get(id)?.name ?? this.#names.get(id) ?? [])
    return names.sort((a, b) => a.localeCompare(b, language.locale))[0] ?? ''
  }

  /** Asks for names that are not known yet. Those that can't be read now are read when they are asked for again. */
  async read(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !tree.get(id) && !this.#asked.has(id))
    if (missing.length === 0) return
    for (const id of missing) this.#asked.add(id)
    try {
      for (const [id, name] of await namesOf(missing)) this.#names.set(id, name)
    } catch {
      for (const id of missing) this.#asked.delete(id)
    }
  }
}

export const folderNames = new FolderNames()
