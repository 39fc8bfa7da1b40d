import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { filesNamedBy, type NamedFile } from '../../../shared/backends/objects/embedded-backup.ts'
import { shardOf } from '../../../shared/backends/objects/embedded-files.ts'
import { inParallel } from '../../../shared/library/concurrency/parallel.ts'
import { crc32OfFile } from '../../../shared/tools/digest.ts'
import { BUCKETS, type BucketName } from './contents.ts'
import { sync } from './durable.ts'
import { listOf } from './manifest.ts'
import { OBJECT_LIST, ObjectList } from './object-list.ts'
import { FilePlacer } from './place-file.ts'
import { backupsIn, backupTarget } from './target.ts'

/** Files that are copied at the same time. */
export const PARALLELISM = 8

/** Milliseconds after which a writer has moved a file to where it belongs. */
const SETTLED_WITHIN = 500

/** Folders that files go from and to. */
export interface Placing {
  dataDirectory: string
  target: string
  /** Of the backup that is made; it holds copies of the databases. */
  folder: string
  /** Whether files that are there already are read, and brought again where they are damaged. New ones are read anyway. */
  verify: boolean
}

/**
 * Brings the files that copies of indexes name into a target, and writes the list of them. Where it fails, it removes what it brought.
 * @returns how many no backup held before, and a sentence for each file that is damaged or not there
 */
export async function placeObjectFiles(placing: Placing): Promise<{ newFiles: number; problems: string[] }> {
  using list = ObjectList.make(join(placing.folder, OBJECT_LIST))
  const [latest] = backupsIn(placing.target)
  using before = latest && (await listOf(latest.folder))
  const files = new ObjectFilesOfBackup(placing, list, before)
  await files.placeAll()
  list.end()
  return { newFiles: files.brought.length, problems: files.problems }
}

class ObjectFilesOfBackup {
  readonly problems: string[] = []
  /** Files that were brought. */
  readonly brought: string[] = []
  readonly #placing: Placing
  readonly #list: ObjectList
  readonly #before: ObjectList | undefined
  readonly #placer = new FilePlacer()
  readonly #folders = new Set<string>()

  constructor(placing: Placing, list: ObjectList, before: ObjectList | undefined) {
    this.#placing = placing
    this.#list = list
    this.#before = before
  }

  async placeAll(): Promise<void> {
    try {
      for (const bucket of BUCKETS) {
        const files = filesNamedBy(join(this.#placing.folder, bucket, 'index.db'))
        await inParallel(files, PARALLELISM, (named) => this.#placeOne(bucket, named))
      }
      for (const path of this.#folders) await sync(path)
    } catch (error) {
      for (const path of this.brought) await rm(path, { force: true })
      throw error
    }
  }

  async #placeOne(bucket: BucketName, { file, bytes }: NamedFile): Promise<void> {
    const path = backupTarget(this.#placing.target).objectFile(bucket, file)
    const known = this.#before?.find(bucket, file)
    const isWhole = await this.#isThere(path, known ?? { bytes })
    if (isWhole && known) return this.#list.add(known)
    const source = join(this.#placing.dataDirectory, bucket, 'data', shardOf(file), file)
    if (!isWhole && !(await this.#bring(source, path))) {
      this.problems.push(`The file ${source} is not there.`)
      return
    }
    const found = { bucket, file, bytes: (await stat(path)).size, crc32: await crc32OfFile(path) }
    if (found.bytes !== (bytes ?? found.bytes) || found.crc32 !== (known?.crc32 ?? found.crc32)) {
      this.problems.push(`The file ${source} is damaged: it is not what it was.`)
    }
    this.#list.add(found)
  }

  async #isThere(path: string, { bytes, crc32 }: { bytes: number | null; crc32?: number }): Promise<boolean> {
    const there = await sizeOf(path)
    if (there === undefined || there !== (bytes ?? there)) return false
    return crc32 === undefined || !this.#placing.verify || (await crc32OfFile(path)) === crc32
  }

  /** @returns whether there is such a file */
  async #bring(source: string, path: string): Promise<boolean> {
    const folder = dirname(path)
    if (!this.#folders.has(folder)) makeFolder(folder)
    this.#folders.add(folder)
    const temporary = join(this.#placing.folder, path.slice(-32))
    for (const isLast of [false, true]) {
      try {
        await this.#placer.place(source, temporary)
        await rename(temporary, path)
        this.brought.push(path)
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        if (!isLast) await sleep(SETTLED_WITHIN)
      }
    }
    return false
  }
}

/** In bytes; undefined where there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
