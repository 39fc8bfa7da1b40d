import { JUNK, sidecarNames, sidecarsAmong } from '../../../shared/tools/sidecars/names.ts'
import type { Source, SourceEntry } from './source.ts'
import { SourceUnreadable } from './source.ts'

/** A file of a source, with the metadata beside it. */
export interface FoundFile {
  /** From the source's folder, with `/`. */
  path: string
  folders: readonly string[]
  name: string
  bytes: number
  /** Path of the metadata beside it. */
  sidecar?: string
}

/** What can't be taken. */
export interface Refused {
  path: string
  /** In words that follow the path. */
  message: string
}

/** Deeper folders than the library's are no folders of people. */
const MAX_DEPTH = 200

/**
 * All files of a source below a folder of it, each folder's files before the folders in it. Metadata beside a file is none itself.
 * @param isFile whether a path is that of a file, whatever its name looks like
 */
export async function* walk(
  source: Source,
  isFile: (path: string) => boolean,
  folder = '',
  folders: readonly string[] = [],
): AsyncGenerator<FoundFile | Refused> {
  const pathOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  let entries: SourceEntry[]
  try {
    if (folders.length > MAX_DEPTH) throw new SourceUnreadable(`lies deeper than ${MAX_DEPTH} folders`)
    entries = (await source.list(folder)).filter(({ name }) => !JUNK.test(name))
  } catch (error) {
    if (!(error instanceof SourceUnreadable)) throw error
    yield { path: folder, message: error.message }
    return
  }
  const names = entries.flatMap(({ name, kind }) => (kind === 'file' ? [name] : []))
  const sidecars = sidecarsAmong(names)
  for (const { name, kind, bytes } of entries) {
    const path = pathOf(name)
    if (kind === 'other') yield { path, message: 'is a link, or no ordinary file' }
    if (kind !== 'file' || (sidecars.has(name) && !isFile(path))) continue
    const sidecar = sidecarNames(name).find((each) => sidecars.has(each))
    yield { path, folders, name, bytes, ...(sidecar !== undefined && { sidecar: pathOf(sidecar) }) }
  }
  for (const { name, kind } of entries) if (kind === 'folder') yield* walk(source, isFile, pathOf(name), [...folders, name])
}
