import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readJsonSidecar } from '../../../shared/tools/sidecars/json.ts'
import { isJsonSidecar, mayBeSidecar, sidecarNames, sidecarsAmong } from '../../../shared/tools/sidecars/names.ts'
import { readXmp, xmpOf } from '../../../shared/tools/sidecars/xmp.ts'
import type { MediaLibrary, Schemas } from '../client/client.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { filling } from './filling.ts'

type Change = Schemas['BulkChange']

/** Most bytes of a sidecar that is read. */
const LARGEST = 16 * 2 ** 20

/** Tells which files of the disk are the metadata of others. */
export class Sidecars {
  /** The folder that was looked into last. */
  #folder = ''
  #found: ReadonlySet<string> = new Set()

  /** Whether a file is the metadata of another one. */
  async has(path: string): Promise<boolean> {
    if (!mayBeSidecar(path)) return false
    const folder = dirname(path)
    if (folder !== this.#folder) {
      const entries = await readdir(folder, { withFileTypes: true })
      this.#found = sidecarsAmong(entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])))
      this.#folder = folder
    }
    return this.#found.has(basename(path))
  }
}

/** What the metadata beside a file changes; undefined where there is none. What downloads wrote says most. @throws Failure where it can't be read */
export async function sidecarChange(path: string): Promise<Change | undefined> {
  for (const name of sidecarNames(basename(path))) {
    const place = join(dirname(path), name)
    try {
      if ((await stat(place)).size > LARGEST) throw new Error('it is too large')
      return (isJsonSidecar(name) ? changeOfJson : changeOfXmp)(await readFile(place, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        throw new Failure(exitCodes.someFailed, `${place}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  return undefined
}

function changeOfJson(text: string): Change {
  const { metadata, ...atTop } = readJsonSidecar(text)
  return filling({ ...atTop, ...metadata })
}

function changeOfXmp(text: string): Change {
  const { keywords, ...rest } = readXmp(text)
  return filling({ ...rest, keywords: { en: [...keywords] } })
}

/** Writes the metadata of a file beside it: as XMP for other programs, and all that the library knows as JSON. */
export async function writeSidecars(library: MediaLibrary, id: number, path: string): Promise<void> {
  const media = await library.waitUntilAvailable(id)
  await writeFile(`${path}.xmp`, xmpOf(media))
  await writeFile(`${path}.json`, `${JSON.stringify(media, null, 2)}\n`)
}
