import { api, dataOf, Refused } from '../api/client.ts'
import { MOST_ASKED } from '../files/calls.ts'
import type { Wanted } from './batch.ts'
import { keepUpload, uploadsTo } from './kept-uploads.ts'

/** What earlier uploads to the same folders made of the files of a batch. */
export class EarlierUploads {
  readonly #user: number
  readonly #files = new Map<string, File[]>()
  readonly #found = new Map<string, Promise<ReadonlyMap<File, number>>>()

  constructor(user: number, batch: readonly Wanted[]) {
    this.#user = user
    for (const { file, folders } of batch) {
      const path = folders.join('/')
      const files = this.#files.get(path)
      if (files) files.push(file)
      else this.#files.set(path, [file])
    }
  }

  /** The library's id of a file that is there already. All that go to a folder are looked for at once. @throws Refused */
  async idOf({ file, folders }: Wanted, folder: number): Promise<number | undefined> {
    const path = folders.join('/')
    let found = this.#found.get(path)
    if (!found) {
      found = this.#find(this.#files.get(path) ?? [], folder)
      this.#found.set(path, found)
      found.catch(() => this.#found.delete(path))
    }
    return (await found).get(file)
  }

  /** Notes that a file was uploaded. */
  async keep(file: File, folder: number, mediaId: number): Promise<void> {
    await keepUpload({ user: this.#user, folder, file }, { mediaId })
  }

  async #find(files: readonly File[], folder: number): Promise<Map<File, number>> {
    const outcomeOf = await uploadsTo(this.#user, folder)
    const known = new Map<File, number>()
    for (const file of files) {
      const id = outcomeOf(file)?.mediaId
      if (id !== undefined) known.set(file, id)
    }
    const there = await idsIn(folder, [...known.values()])
    for (const [file, id] of known) if (!there.has(id) && !(await holds(folder, id))) known.delete(file)
    return known
  }
}

/** Those of some files that lie in a folder. Files that are being imported may be absent. */
async function idsIn(folder: number, ids: readonly number[]): Promise<Set<number>> {
  const there = new Set<number>()
  for (let first = 0; first < ids.length; first += MOST_ASKED) {
    const some = ids.slice(first, first + MOST_ASKED)
    const query = {
      folder_ids: String(folder),
      unique_media_id: some.join('+'),
      return_values: 'unique_media_id',
      media_count: String(some.length),
    }
    const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
    for (const { unique_media_id: id } of response.media) if (id !== undefined) there.add(id)
  }
  return there
}

/** Whether a folder holds a file, whatever state its import is in. */
async function holds(folder: number, id: number): Promise<boolean> {
  try {
    const folders = await dataOf(api.GET('/media/{id}/folders', { params: { path: { id } } }))
    return folders.some(({ group_id }) => group_id === folder)
  } catch (error) {
    if (error instanceof Refused && (error.status === 403 || error.status === 404)) return false
    throw error
  }
}
