import { listKeys, listPeople } from '../admin/calls.ts'
import { slicesOf } from '../api/slices.ts'
import { describe, MOST_ASKED } from '../files/calls.ts'
import type { Parameters } from '../files/query.ts'
import { namesOf } from '../folders/calls.ts'
import { text } from '../language/language.svelte.ts'
import { trashcans } from '../trash/calls.ts'
import type { LibraryEvent } from './calls.ts'

/** Names of what events tell of. What is gone has none. */
export class Names {
  #people = new Map<number, string>()
  #keys: ReadonlyMap<number, string> | undefined
  #trashcans: number[] | undefined
  /** undefined: asked for, and not found. */
  readonly #files = new Map<number, string | undefined>()
  readonly #folders = new Map<number, string | undefined>()

  /** Learns the names of what some events tell of, but for what it was asked for before. */
  async learn(events: readonly LibraryEvent[]): Promise<void> {
    const files = events.flatMap(({ data }) => data.media_id ?? [])
    const folders = events.flatMap((event) => [...placesOf(event), event.data.folder_id ?? []].flat())
    await Promise.all([this.#learnActors(events), this.#learnFiles(files), this.#learnFolders(folders)])
  }

  /** Who did something, as people read it. */
  actor({ actor: { user_id: user, key_id: key } }: LibraryEvent): string {
    if (user !== undefined) return this.#people.get(user) ?? text.personNumbered(user)
    if (key !== undefined) return text.application(this.#keys?.get(key) ?? String(key))
    return text.theService
  }

  file(id: number): string | undefined {
    return this.#files.get(id)
  }

  folder(id: number): string | undefined {
    return this.#folders.get(id)
  }

  async #learnActors(events: readonly LibraryEvent[]): Promise<void> {
    if (events.some(({ actor }) => actor.user_id !== undefined && !this.#people.has(actor.user_id)))
      this.#people = new Map((await listPeople()).map(({ id, fullname }) => [id, fullname]))
    if (!this.#keys && events.some(({ actor }) => actor.key_id !== undefined))
      this.#keys = new Map((await listKeys()).map(({ id, key }) => [id, key]))
  }

  async #learnFiles(ids: readonly number[]): Promise<void> {
    const names = new Map<number, string>()
    const unknown = unknownOf(ids, this.#files)
    const find = async (those: readonly number[], folder: Parameters) => {
      for (const slice of slicesOf(those, MOST_ASKED))
        for (const { unique_media_id: id = 0, title, filename = '' } of await describe(slice, '', folder)) names.set(id, title || filename)
    }
    await find(unknown, {})
    const unfound = unknown.filter((id) => !names.has(id))
    // The trashcans of others are theirs alone.
    if (unfound.length > 0) {
      this.#trashcans ??= await trashcans()
      if (this.#trashcans.length > 0) await find(unfound, { folder_ids: this.#trashcans.join('+'), recursive: 'true' })
    }
    for (const id of unknown) this.#files.set(id, names.get(id))
  }

  async #learnFolders(ids: readonly number[]): Promise<void> {
    const unknown = unknownOf(ids, this.#folders)
    const names = await namesOf(unknown)
    for (const id of unknown) this.#folders.set(id, names.get(id))
  }
}

/** Folders in which something is, or was. */
export const placesOf = ({ data }: LibraryEvent): number[] => data.folder_ids ?? [data.parent ?? []].flat()

/** Those that were not asked for before, each once. */
const unknownOf = (ids: readonly number[], known: ReadonlyMap<number, unknown>): number[] =>
  [...new Set(ids)].filter((id) => !known.has(id))
