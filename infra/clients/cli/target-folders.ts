import type { MediaLibrary } from '../client/client.ts'
import { childrenOf } from './folders.ts'

/** A file that is in a folder of the library. */
export interface FileThere {
  id: number
  name: string
  bytes: number
  md5: string
  /** Number of its current version. */
  number: number
}

/** Files of a folder, found in three ways. */
export class FolderFiles {
  readonly byId = new Map<number, FileThere>()
  readonly #byName = new Map<string, FileThere[]>()
  readonly #bySize = new Map<number, FileThere[]>()

  constructor(files: readonly FileThere[]) {
    for (const file of files) {
      this.byId.set(file.id, file)
      append(this.#byName, file.name, file)
      append(this.#bySize, file.bytes, file)
    }
  }

  named = (name: string): readonly FileThere[] => this.#byName.get(nameInLibrary(name)) ?? []
  /** Where there is none, a file's bytes need not be read to know that it is not there. */
  ofSize = (bytes: number): readonly FileThere[] => this.#bySize.get(bytes) ?? []
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Folders below a target, found by their names or made, and what is in them. */
export class TargetFolders {
  readonly #library: MediaLibrary
  readonly #target: number
  readonly #isDryRun: boolean
  readonly #ids = new Map<string, Promise<number | undefined>>()
  readonly #children = new Map<number, Promise<Map<string, number>>>()
  readonly #files = new Map<number, Promise<FolderFiles>>()

  constructor(library: MediaLibrary, target: number, { isDryRun = false } = {}) {
    this.#library = library
    this.#target = target
    this.#isDryRun = isDryRun
  }

  /** The id of a folder. @param path names from the target down @returns undefined where a dry run makes none */
  of(path: readonly string[]): Promise<number | undefined> {
    if (path.length === 0) return Promise.resolve(this.#target)
    const key = JSON.stringify(path.map(folderName))
    let found = this.#ids.get(key)
    if (!found) {
      found = this.#find(path)
      this.#ids.set(key, found)
      found.catch(() => this.#ids.delete(key))
    }
    return found
  }

  /** What was in a folder when this was first asked. */
  filesIn(id: number): Promise<FolderFiles> {
    let files = this.#files.get(id)
    if (!files) {
      files = filesIn(this.#library, id).then((found) => new FolderFiles(found))
      this.#files.set(id, files)
      files.catch(() => this.#files.delete(id))
    }
    return files
  }

  async #find(path: readonly string[]): Promise<number | undefined> {
    const parent = await this.of(path.slice(0, -1))
    if (parent === undefined) return undefined
    const name = folderName(path.at(-1)!)
    const siblings = await this.#childrenOf(parent)
    const known = siblings.get(name)
    if (known !== undefined || this.#isDryRun) return known
    const { id } = await this.#library.post('/folder', { body: { name, parent } })
    siblings.set(name, id)
    this.#children.set(id, Promise.resolve(new Map()))
    this.#files.set(id, Promise.resolve(new FolderFiles([])))
    return id
  }

  #childrenOf(id: number): Promise<Map<string, number>> {
    let children = this.#children.get(id)
    if (!children) {
      children = childrenOf(this.#library, id).then((folders) => new Map(folders.map((folder) => [folder.name, folder.id])))
      this.#children.set(id, children)
      children.catch(() => this.#children.delete(id))
    }
    return children
  }
}

/** Files directly in a folder. */
async function filesIn(library: MediaLibrary, id: number): Promise<FileThere[]> {
  const files: FileThere[] = []
  const query = { folder_ids: [id], return_values: [...RETURNED] }
  for await (const { unique_media_id, filename = '', file_md5 = '', file_disksize = 0, file_number = 1 } of library.searchAll(query))
    files.push({ id: unique_media_id, name: filename, bytes: file_disksize, md5: file_md5, number: file_number })
  return files
}

const RETURNED = ['filename', 'file_md5', 'file_disksize', 'file_number'] as const

/** The name that a folder of the disk gets. The library takes no control characters. */
const folderName = (name: string): string => withoutControls(name).normalize('NFC').trim().slice(0, 255)

/** The name that a file of the disk gets. The library cuts names off before a backslash, and spaces at both ends. */
export const nameInLibrary = (name: string): string => withoutControls(name).normalize('NFC').replaceAll('\\', '_').trim() || 'unnamed'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const withoutControls = (name: string): string => name.replace(/[\u0000-\u001f\u007f-\u009f]/g, '_')
