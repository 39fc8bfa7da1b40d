import { statSync } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import picomatch from 'picomatch'
import { JUNK } from '../../../shared/tools/sidecars/names.ts'

/** A file on the disk. */
export interface LocalFile {
  /** Absolute. */
  path: string
  /** Names of the folders between the given path and the file. */
  folders: readonly string[]
  name: string
  bytes: number
  /** Milliseconds. */
  modified: number
}

/** A file or folder that can't be read. */
export interface Unreadable {
  path: string
  why: string
}

export interface Selection {
  include?: readonly string[] | undefined
  exclude?: readonly string[] | undefined
}

/** Folder to which `sync` moves files that it removes. */
export const LOCAL_TRASH = '.media-library-trash'

/** Own files of `sync` and downloads beside users' files: the trash, parts of files and of archives. */
const OWN = /^(\.media-library-trash|\.\d+-\d+-\w+\.part|\.zip-[\w-]+\.part)$/i

/**
 * All files of a path, folders first to last. A folder's own name is among `folders`, unless the path ends with a slash. Follows links, except those
 * to a folder that contains them.
 * @throws ENOENT where the path itself is missing
 */
export async function* localFiles(given: string, selection: Selection = {}): AsyncGenerator<LocalFile | Unreadable> {
  const path = resolve(given)
  const top = await stat(path)
  if (!top.isDirectory()) {
    yield fileOf(path, [], basename(path), top)
    return
  }
  const own = /[/\\]\.?$/.test(given) || /^\.{1,2}$/.test(basename(given)) ? [] : [basename(path)]
  yield* filesBelow(path, { given: own.length, folders: own, above: [await realpath(path)], isWanted: matcherOf(selection) })
}

interface Place {
  /** Number of leading `folders` that patterns ignore. */
  given: number
  folders: readonly string[]
  /** Real paths of this folder and its ancestors. */
  above: readonly string[]
  isWanted: (path: string) => boolean
}

async function* filesBelow(path: string, place: Place): AsyncGenerator<LocalFile | Unreadable> {
  let names: string[]
  try {
    names = await readdir(path)
  } catch (error) {
    yield { path, why: (error as Error).message }
    return
  }
  for (const name of names.sort()) {
    if (JUNK.test(name) || OWN.test(name)) continue
    const inner = join(path, name)
    try {
      // Ten times as fast as an asynchronous call each.
      const found = statSync(inner)
      if (found.isFile()) {
        if (place.isWanted([...place.folders.slice(place.given), name].join('/'))) yield fileOf(inner, place.folders, name, found)
      } else if (found.isDirectory()) {
        const isLink = (await lstat(inner)).isSymbolicLink()
        const real = isLink ? await realpath(inner) : inner
        if (isLink && place.above.includes(real)) continue
        yield* filesBelow(inner, {
          ...place,
          folders: [...place.folders, name],
          above: [...place.above, isLink ? real : join(place.above.at(-1)!, name)],
        })
      }
    } catch (error) {
      yield { path: inner, why: (error as Error).message }
    }
  }
}

const fileOf = (
  path: string,
  folders: readonly string[],
  name: string,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): LocalFile => ({
  path,
  folders,
  name,
  bytes: size,
  modified: mtimeMs,
})

/** Patterns without a slash match names at any depth. */
function matcherOf({ include, exclude }: Selection): (path: string) => boolean {
  const match = (patterns: readonly string[]) => {
    const matchers = patterns.map((pattern) => picomatch(pattern, { dot: true, basename: !pattern.includes('/'), flags: 's' }))
    return (path: string) => matchers.some((matches) => matches(path))
  }
  const [included, excluded] = [include?.length ? match(include) : () => true, match(exclude ?? [])]
  return (path) => included(path) && !excluded(path)
}
