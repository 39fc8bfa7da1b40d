import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf } from '../api/client.ts'
import { slicesOf } from '../api/slices.ts'
import { MOST_ASKED } from '../files/calls.ts'
import type { Wanted } from './batch.ts'
import { forgetUpload, type KeptUploads, keepUpload, type Outcome, uploadsTo } from './kept-uploads.ts'

/** What the browser keeps of uploads to a folder, and those of their files that a search finds there. */
interface Found {
  kept: KeptUploads
  there: ReadonlySet<number>
}

/** What earlier uploads to the same folders made of the files of a batch. */
export class EarlierUploads {
  readonly #user: number
  /** Names of the files, by the path of their folder. */
  readonly #names = new Map<string, Set<string>>()
  readonly #found = new Map<string, Promise<Found>>()

  constructor(user: number, batch: readonly Wanted[]) {
    this.#user = user
    for (const { name, folders } of batch) {
      const path = folders.join('/')
      const names = this.#names.get(path)
      if (names) names.add(name)
      else this.#names.set(path, new Set([name]))
    }
  }

  /**
   * What became of a file: it is there, or an upload of it was begun. All that go to a folder are looked for at once.
   * @throws MediaLibraryError
   */
  async of({ folders }: Wanted, file: File, folder: number): Promise<Outcome> {
    const path = folders.join('/')
    let found = this.#found.get(path)
    if (!found) {
      found = this.#find(this.#names.get(path) ?? new Set(), folder)
      this.#found.set(path, found)
      found.catch(() => this.#found.delete(path))
    }
    const { kept, there } = await found
    const outcome = kept.of(file) ?? {}
    const { mediaId } = outcome
    return mediaId === undefined || there.has(mediaId) || (await holds(folder, mediaId)) ? outcome : {}
  }

  /** Notes what became of a file. */
  async keep(file: File, folder: number, outcome: Outcome): Promise<void> {
    await keepUpload({ user: this.#user, folder, file }, outcome)
  }

  /** Forgets an upload that was given up. */
  async forget({ folders }: Wanted, file: File, folder: number): Promise<void> {
    this.#found.delete(folders.join('/'))
    await forgetUpload({ user: this.#user, folder, file })
  }

  async #find(names: ReadonlySet<string>, folder: number): Promise<Found> {
    const kept = await uploadsTo(this.#user, folder, names)
    return { kept, there: await idsIn(folder, kept.mediaIds) }
  }
}

/** Those of some files that lie in a folder. Files that are being imported may be absent. */
async function idsIn(folder: number, ids: readonly number[]): Promise<Set<number>> {
  const there = new Set<number>()
  for (const some of slicesOf(ids, MOST_ASKED)) {
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
    if (error instanceof MediaLibraryError && (error.status === 403 || error.status === 404)) return false
    throw error
  }
}
