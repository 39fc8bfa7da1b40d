import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { filesNamedBy, type NamedFile } from '../../../shared/backends/objects/embedded-backup.ts'
import { shardOf } from '../../../shared/backends/objects/embedded-files.ts'
import { inParallel } from '../../../shared/parallel.ts'
import { crc32OfFile } from '../../../shared/tools/digest.ts'
import { BUCKETS, type BucketName } from './contents.ts'
import { sync } from './durable.ts'
import { listOf } from './manifest.ts'
import { OBJECT_LIST, ObjectList } from './object-list.ts'
import { FilePlacer, type Placed } from './place-file.ts'
import { backupsIn, backupTarget } from './target.ts'

/** Files copied in parallel. */
export const PARALLELISM = 8

/** Milliseconds in which a writer settles a committed file. */
const SETTLED_WITHIN = 500

/** Source and target of files. */
export interface Placing {
  dataDirectory: string
  target: string
  /** Folder of the new backup, with copies of the databases. */
  folder: string
  /**
   * Whether to read all files, and to replace damaged ones of earlier backups. New files that were copied, or have no known CRC-32, are read in any
   * case.
   */
  verify: boolean
}

/**
 * Places the files of the copied indexes into a target, and writes their list. A failure removes the placed files.
 * @returns the number of new files, and a sentence for each damaged or missing one
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
  /** Placed files. */
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
      // All folders are synced together before the manifest, which makes the backup valid.
      await inParallel(this.#folders, PARALLELISM, sync)
    } catch (error) {
      for (const path of this.brought) await rm(path, { force: true })
      throw error
    }
  }

  async #placeOne(bucket: BucketName, named: NamedFile): Promise<void> {
    const { file } = named
    const path = backupTarget(this.#placing.target).objectFile(bucket, file)
    const known = this.#before?.find(bucket, file)
    const expected = known ?? named
    // A file in no list is from an interrupted backup, and may be unverified.
    const there = await this.#wholeAt(path, expected, this.#placing.verify || !known)
    if (there !== undefined && known) return this.#list.add(known)
    this.#prepare(dirname(path))
    const source = join(this.#placing.dataDirectory, bucket, 'data', shardOf(file), file)
    const placed = there === undefined ? await this.#bring(source, path) : { bytes: there, copied: false }
    if (!placed) {
      this.problems.push(`The file ${source} is not there.`)
      return
    }
    const { bytes, copied } = placed
    const hasSize = bytes === (named.bytes ?? bytes)
    const isTrusted = hasSize && !copied && !this.#placing.verify
    const crc32 = (isTrusted ? expected.crc32 : null) ?? (await crc32OfFile(path))
    if (!hasSize || crc32 !== (expected.crc32 ?? crc32)) {
      this.problems.push(`The file ${source} is damaged: it is not what it was.`)
    }
    this.#list.add({ bucket, file, bytes, crc32 })
  }

  /** The size of a file; undefined where it is missing or not the expected one. @param isRead whether to compare its CRC-32 */
  async #wholeAt(path: string, { bytes, crc32 }: Pick<NamedFile, 'bytes' | 'crc32'>, isRead: boolean): Promise<number | undefined> {
    const there = await sizeOf(path)
    if (there === undefined || there !== (bytes ?? there)) return undefined
    return isRead && crc32 !== null && (await crc32OfFile(path)) !== crc32 ? undefined : there
  }

  /** Creates a folder for files, and marks it and its ancestors for syncing. */
  #prepare(folder: string): void {
    if (this.#folders.has(folder)) return
    makeFolder(folder)
    for (const each of [folder, dirname(folder), dirname(dirname(folder))]) this.#folders.add(each)
  }

  /** @returns undefined for a missing file */
  async #bring(source: string, path: string): Promise<Placed | undefined> {
    const temporary = join(this.#placing.folder, path.slice(-32))
    for (const isLast of [false, true]) {
      try {
        const placed = await this.#placer.place(source, temporary)
        await rename(temporary, path)
        this.brought.push(path)
        return placed
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        if (!isLast) await sleep(SETTLED_WITHIN)
      }
    }
    return undefined
  }
}

/** In bytes; undefined for a missing file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
