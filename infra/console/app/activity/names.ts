import { listKeys, listPeople } from '../admin/calls.ts'
import { api } from '../api/client.ts'
import { slicesOf } from '../api/slices.ts'
import { describe, MOST_ASKED } from '../files/calls.ts'
import { namesOf } from '../folders/calls.ts'
import { text } from '../language/language.svelte.ts'
import type { LibraryEvent } from './calls.ts'

/** Names of what events tell of. What is gone has none. */
export class Names {
  #people = new Map<number, string>()
  #keys: ReadonlyMap<number, string> | undefined
  /** undefined: asked for, and not found. */
  readonly #files = new Map<number, string | undefined>()
  readonly #folders = new Map<number, string | undefined>()

  /** Learns the names of what some events tell of. @param inTrash whether files are asked for that no search finds, one by one */
  async learn(events: readonly LibraryEvent[], { inTrash }: { inTrash: boolean }): Promise<void> {
    const files = events.flatMap(({ data }) => data.media_id ?? [])
    const folders = events.flatMap((event) => [...placesOf(event), event.data.folder_id ?? []].flat())
    await Promise.all([this.#learnActors(events), this.#learnFiles(files, inTrash), this.#learnFolders(folders)])
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

  async #learnFiles(ids: readonly number[], inTrash: boolean): Promise<void> {
    const unknown = unknownOf(ids, this.#files)
    for (const slice of slicesOf(unknown, MOST_ASKED))
      for (const { unique_media_id: id = 0, title, filename } of await describe(slice, '', {})) this.#files.set(id, title || filename)
    if (!inTrash) return
    for (const id of unknown.filter((each) => this.#files.get(each) === undefined)) {
      const { data } = await api.GET('/media/{id}', { params: { path: { id } } })
      if (data && 'filename' in data) this.#files.set(id, data.filename)
    }
  }

  async #learnFolders(ids: readonly number[]): Promise<void> {
    for (const [id, name] of await namesOf(unknownOf(ids, this.#folders))) this.#folders.set(id, name)
  }
}

/** Folders in which something is, or was. */
export const placesOf = ({ data }: LibraryEvent): number[] => data.folder_ids ?? [data.parent ?? []].flat()

/** Those that nobody asked for before, each once. They count as asked for. */
function unknownOf(ids: readonly number[], known: Map<number, string | undefined>): number[] {
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  for (const id of unknown) known.set(id, undefined)
  return unknown
}
