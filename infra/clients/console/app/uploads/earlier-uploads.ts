import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf } from '../api/client.ts'
import { folderRights } from '../rights/folder-rights.svelte.ts'
import type { Wanted } from './batch.ts'
import { type FileThere, filesNamed, filesWithIds } from './files-there.ts'
import { forgetUpload, type KeptUploads, keepUpload, type Outcome, uploadsTo } from './kept-uploads.ts'
import { md5Of } from './md5.ts'

/** What the browser keeps of uploads to a folder, and those of their files that are there. */
interface Found {
  kept: KeptUploads
  there: ReadonlyMap<number, FileThere>
}

/** What is known of a file that is to be uploaded. */
export interface Known {
  /** The file of the library that has its bytes and its name. */
  mediaId?: number | undefined
  /** An upload of it that was begun. */
  begun?: Outcome
  /** The newest file of its name, where all of that name have other bytes. */
  namesake?: Namesake
}

export interface Namesake extends FileThere {
  /** Whether the user may replace it. */
  isReplaceable: boolean
}

/** What earlier uploads to the same folders made of the files of a batch, and which of their names are taken there. */
export class EarlierUploads {
  readonly #user: number
  /** Names of the files, by the path of their folder. */
  readonly #names = new Map<string, Set<string>>()
  readonly #found = new Map<string, Promise<Found>>()
  /** Files of the folders that have these names, by name. */
  readonly #named = new Map<string, Promise<ReadonlyMap<string, readonly FileThere[]>>>()

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
   * What is known of a file. Each folder is asked once for all that goes there.
   * @throws MediaLibraryError, DOMException where the file can't be read
   */
  async of({ folders, name }: Wanted, file: File, folder: number): Promise<Known> {
    const path = folders.join('/')
    const names = this.#names.get(path) ?? new Set()
    const { kept, there } = await once(this.#found, path, () => this.#find(names, folder))
    const { mediaId, ...begun } = kept.of(file) ?? {}
    const earlier = mediaId === undefined ? undefined : there.get(mediaId)
    const isAsItWas = earlier ? earlier.number === 1 : mediaId !== undefined && (await holds(folder, mediaId))
    if (isAsItWas) return { mediaId }
    const named = (await once(this.#named, path, () => filesNamed(folder, names))).get(name.normalize('NFC')) ?? []
    const same = await sameAs(file, named)
    if (same) return { mediaId: same.id }
    const [newest] = named
    const isReplaceable = folderRights.has('WRITE', folder) !== false
    return { ...(begun.uploadId !== undefined && { begun }), ...(newest && { namesake: { ...newest, isReplaceable } }) }
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
    return { kept, there: await filesWithIds(folder, kept.mediaIds) }
  }
}

/** Finds something once for all that need it; what failed is found anew. */
function once<Value>(known: Map<string, Promise<Value>>, key: string, find: () => Promise<Value>): Promise<Value> {
  let found = known.get(key)
  if (!found) {
    found = find()
    known.set(key, found)
    found.catch(() => known.delete(key))
  }
  return found
}

/** The file that has the same bytes. Files of another size are not read. */
async function sameAs(file: File, others: readonly FileThere[]): Promise<FileThere | undefined> {
  const alike = others.filter(({ bytes }) => bytes === file.size)
  if (alike.length === 0) return undefined
  const md5 = await md5Of(file)
  return alike.find((other) => other.md5 === md5)
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
