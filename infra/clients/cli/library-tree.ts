import type { MediaLibrary } from '../client/client.ts'
import { childrenOf } from './folders.ts'

/** A file of the library, with its path below a folder. */
export interface LibraryFile {
  id: number
  folder: number
  /** Names of the folders from the top, valid on a disk. */
  folders: readonly string[]
  /** Valid on a disk: equal names in a folder are numbered. */
  name: string
  bytes: number
  md5: string
  type: string
  version: number
}

const RETURNED = ['filename', 'file_md5', 'file_disksize', 'file_mimetype', 'version'] as const

/** All files below a folder. */
export async function* libraryFiles(library: MediaLibrary, folder: number, folders: readonly string[] = []): AsyncGenerator<LibraryFile> {
  const names = new Names()
  for await (const file of library.searchAll({ folder_ids: [folder], return_values: [...RETURNED] })) {
    const { unique_media_id: id, filename = '', file_md5: md5 = '', file_disksize: bytes = 0, file_mimetype: type = '', version } = file
    yield { id, folder, folders, name: names.free(filename), bytes, md5, type, version: version ?? 0 }
  }
  const children = await childrenOf(library, folder)
  for (const { id, name } of children) yield* libraryFiles(library, id, [...folders, names.free(name)])
}

/** Used names in one folder of a disk. */
export class Names {
  readonly #used = new Set<string>()

  /** A unique name for a file or folder, without path separators. */
  free(wanted: string): string {
    const safe = wanted.replaceAll(/[/\0]/g, '_').replace(/^\.{0,2}$/, '_')
    // A dot of a number (`Portrait v1.2`) begins no extension.
    const [, stem = safe, extension = ''] = /^(.+?)(\.(?=.*\p{L})[^.\s]*)?$/su.exec(safe) ?? []
    let name = safe
    for (let number = 2; this.#used.has(name); number++) name = `${stem} (${number})${extension}`
    this.#used.add(name)
    return name
  }
}
