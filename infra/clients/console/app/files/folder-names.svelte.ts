import { SvelteMap } from 'svelte/reactivity'
import { namesOf } from '../folders/calls.ts'
import { tree } from '../folders/tree.svelte.ts'
import { language } from '../language/language.svelte.ts'

/** Names of folders that lists show. */
class FolderNames {
  readonly #names = new SvelteMap<number, string>()
  readonly #asked = new Set<number>()
  readonly #wanted = new Set<number>()

  /** The first name of some folders, as far as they are known. */
  first(ids: readonly number[]): string {
    const names = ids.flatMap((id) => tree.get(id)?.name ?? this.#names.get(id) ?? [])
    return names.sort((a, b) => a.localeCompare(b, language.locale))[0] ?? ''
  }

  /** Asks for names that are not known yet; those of all rows that are drawn at a time together. */
  want(ids: readonly number[]): void {
    const missing = ids.filter((id) => !tree.get(id) && !this.#asked.has(id))
    if (missing.length === 0) return
    if (this.#wanted.size === 0) queueMicrotask(() => void this.#read())
    for (const id of missing) {
      this.#asked.add(id)
      this.#wanted.add(id)
    }
  }

  /** Those that can't be read now are read when they are asked for again. */
  async #read(): Promise<void> {
    const wanted = [...this.#wanted]
    this.#wanted.clear()
    try {
      for (const [id, name] of await namesOf(wanted)) this.#names.set(id, name)
    } catch {
      for (const id of wanted) this.#asked.delete(id)
    }
  }
}

export const folderNames = new FolderNames()
