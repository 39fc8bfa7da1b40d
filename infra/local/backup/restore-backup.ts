import { constants, copyFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { forgetUnfinished } from '../../../shared/backends/objects/embedded-backup.ts'
import { shardOf } from '../../../shared/backends/objects/embedded-files.ts'
import type { Problem } from '../../../shared/library/check/problem.ts'
import { inParallel } from '../../../shared/parallel.ts'
import { DATA_FORMAT } from '../data-folder/format.ts'
import { checkBackup, checkRestored, requireCrc32 } from './check-copy.ts'
import { damagedObjectFiles, type ObjectFileProblem } from './check-object-files.ts'
import { BUCKETS, namesIn } from './contents.ts'
import { sync } from './durable.ts'
import { BackupDamaged, type Manifest, readManifest, requireTruth } from './manifest.ts'
import { OBJECT_LIST, ObjectList } from './object-list.ts'
import { FilePlacer } from './place-file.ts'
import { PARALLELISM } from './place-object-files.ts'
import { BackupImpossible, backupTarget, readBackupsIn, type StoredBackup } from './target.ts'

/** Folder in a data folder for an incomplete library. */
const UNFINISHED = 'restoring'

export interface RestoreOptions {
  /** Folder of backups. */
  source: string
  /** Target: an empty or missing folder. */
  dataDirectory: string
  /** Whether to only check the backup, and its library. */
  checkOnly: boolean
  /** Called for each damaged backup that is skipped. */
  warn(text: string): void
}

/** Result of a restore. */
export interface Restored {
  /** The restored backup; absent where none is good. Then the data folder is empty. */
  folder?: string
  /** Problems of the restored library; without a good backup, and of a check, those of the backups, too. */
  problems: (Problem | ObjectFileProblem | { problem: 'backup_damaged'; message: string })[]
}

/**
 * Restores the newest good backup of a folder. Verifies every byte. Damaged backups are skipped, and leave nothing.
 * @throws BackupImpossible, or Error with the system's code; then the data folder is empty
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { dataDirectory, checkOnly, warn } = options
  const source = resolve(options.source)
  const backups = readBackupsIn(source)
  if (backups.length === 0) throw new BackupImpossible(`There is no backup in ${source}.`)
  if (!checkOnly) requireEmpty(dataDirectory)
  const damaged: Restored['problems'] = []
  for (const backup of backups) {
    try {
      const manifest = await requireGood(backup)
      if (checkOnly) {
        const files = await damagedObjectFiles(source, backup.folder)
        damaged.push(...files.filter(({ message }) => !damaged.some((told) => told.message === message)))
        if (files.length > 0) throw new BackupDamaged(`${files.length} of its files are missing or damaged`)
        return { folder: backup.folder, problems: [...damaged, ...(await checkBackup(source, backup.folder, backup.made))] }
      }
      await fill(dataDirectory, source, backup.folder, manifest)
      return { folder: backup.folder, problems: await checkRestored(dataDirectory, backup.folder, backup.made) }
    } catch (error) {
      if (!checkOnly) await empty(dataDirectory)
      if (!(error instanceof BackupDamaged)) throw error
      const message = `The backup ${backup.folder} is not good: ${error.message}.`
      damaged.push({ problem: 'backup_damaged', message })
      warn(message)
    }
  }
  return { problems: damaged }
}

/** @throws BackupDamaged, or BackupImpossible for one of another format */
async function requireGood({ folder, made }: StoredBackup): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (manifest.schema !== DATA_FORMAT) {
    throw new BackupImpossible(
      `The backup ${folder} was made by another version of this program (${manifest.product_version}, schema ${manifest.schema}; this one knows ${DATA_FORMAT}). Restore it with that version.`,
    )
  }
  if (Date.parse(manifest.made) !== made.getTime()) throw new BackupDamaged(`its manifest says that it was made at ${manifest.made}`)
  await requireTruth(folder, manifest)
  return manifest
}

/** Creates a missing folder. @throws BackupImpossible unless it is empty */
function requireEmpty(directory: string): void {
  makeFolder(directory)
  const [name] = namesIn(directory).filter((name) => !isNothing(name))
  if (name === undefined) return
  throw new BackupImpossible(
    `The data folder ${directory} is not empty: there is ${name}. Set DATA_DIR to an empty folder, or move what is there away.`,
  )
}

/** Contents of an empty disk, and remains of an interrupted restore. */
const isNothing = (name: string) => name === 'lost+found' || name === UNFINISHED

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name !== 'lost+found') await rm(join(directory, name), { recursive: true, force: true })
  }
}

/** Builds the library beside its destination, and moves it once complete. */
async function fill(dataDirectory: string, source: string, folder: string, { databases, files }: Manifest): Promise<void> {
  const unfinished = join(dataDirectory, UNFINISHED)
  await rm(unfinished, { recursive: true, force: true })
  for (const path of [...Object.keys(databases), ...Object.keys(files)]) {
    if (path === OBJECT_LIST) continue
    const to = join(unfinished, path)
    makeFolder(dirname(to))
    await copyFile(join(folder, path), to, constants.COPYFILE_FICLONE)
    await sync(to)
  }
  await placeObjectFiles(unfinished, source, folder)
  for (const bucket of BUCKETS) forgetUnfinished(join(unfinished, bucket, 'index.db'))
  // The file that marks a library comes last.
  const names = (await readdir(unfinished)).sort((a, b) => Number(a === 'table.db') - Number(b === 'table.db'))
  for (const name of names) await rename(join(unfinished, name), join(dataDirectory, name))
  await rm(unfinished, { recursive: true })
  await sync(dataDirectory)
}

async function placeObjectFiles(directory: string, source: string, folder: string): Promise<void> {
  using list = ObjectList.open(join(folder, OBJECT_LIST))
  const { objectFile } = backupTarget(source)
  const placer = new FilePlacer()
  const folders = new Set<string>()
  await inParallel(list.all(), PARALLELISM, async ({ bucket, file, crc32 }) => {
    const shard = join(directory, bucket, 'data', shardOf(file))
    if (!folders.has(shard)) makeFolder(shard)
    folders.add(shard)
    const path = join(shard, file)
    await placer.place(objectFile(bucket, file), path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new BackupDamaged(`${objectFile(bucket, file)} is not there`) : error
    })
    await requireCrc32(path, crc32)
  })
  for (const shard of folders) await sync(shard)
}
