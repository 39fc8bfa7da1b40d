import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { writeWhole } from '../../../shared/backends/disk/whole-file.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { holdFiles } from '../../../shared/backends/objects/embedded-files.ts'
import { openEmbeddedSecrets } from '../../../shared/backends/secrets/embedded.ts'
import { DATA_FORMAT } from '../data-folder/format.ts'
import { checkBackup } from './check-copy.ts'
import { BUCKETS, smallFilesIn } from './contents.ts'
import { copyDatabases } from './copy-databases.ts'
import { sync } from './durable.ts'
import { rememberTarget } from './known-targets.ts'
import { describe, MANIFEST, requireTruth } from './manifest.ts'
import { OBJECT_LIST } from './object-list.ts'
import { placeObjectFiles } from './place-object-files.ts'
import { removeBackups, removeUnusedFiles } from './remove-unused.ts'
import { backupsIn, backupTarget, lockTarget, prepareTarget, removeUnfinished, type StoredBackup } from './target.ts'

export interface BackupOptions {
  dataDirectory: string
  /** Folder of backups; created if missing. */
  target: string
  productVersion: string
  clock: Clock
  /** Whether to read every file, existing ones too, and to check the backup's library. */
  verify: boolean
  /** The backups to keep after this one, newest first; defaults to all. */
  keep?: (backups: readonly StoredBackup[]) => readonly StoredBackup[]
}

/** A new backup. */
export interface MadeBackup {
  folder: string
  /** Object files, and their bytes. */
  files: number
  bytes: number
  /** Files that no earlier backup has. */
  newFiles: number
  /** Problems of the library, and of damaged or missing files, in sentences. The backup has everything else. */
  problems: string[]
}

/**
 * Backs a data folder up, also while the server runs: first the databases as of one moment, then their object files, which are kept from removal
 * meanwhile. Files in earlier backups are not copied again. Renaming the folder at the end makes the backup valid. Earlier backups are never changed.
 * @throws BackupImpossible, or Error with the system's code
 */
export async function makeBackup({ dataDirectory, productVersion, clock, verify, keep, ...options }: BackupOptions): Promise<MadeBackup> {
  const target = resolve(options.target)
  prepareTarget(target, dataDirectory)
  await using opened = new AsyncDisposableStack()
  opened.defer(lockTarget(target))
  await removeUnfinished(target)
  const paths = backupTarget(target)
  const folder = paths.unfinished(randomUUID())
  makeFolder(folder)
  opened.defer(() => rm(folder, { recursive: true, force: true }))

  for (const bucket of BUCKETS) {
    const directory = join(dataDirectory, bucket)
    // Opening a bucket cleans up after crashed writers.
    openEmbeddedObjects(directory, clock).close()
    opened.defer(holdFiles(directory))
  }
  // Creates them in a library that no server has opened yet.
  openEmbeddedSecrets(embeddedLayout(dataDirectory).secrets)
  const made = new Date(clock.now())
  const { databases, keys } = await copyDatabases(dataDirectory, folder)
  const smallFiles = [...keys, ...(await copySmallFiles(dataDirectory, folder))]
  const { newFiles, problems } = await placeObjectFiles({ dataDirectory, target, folder, verify })
  const manifest = await describe(folder, {
    ...{ schema: DATA_FORMAT, product_version: productVersion, made: made.toISOString() },
    ...{ databases, smallFiles },
  })
  for (const path of [...databases, OBJECT_LIST, ...smallFiles]) {
    await sync(join(folder, path))
    await sync(dirname(join(folder, path)))
  }
  await writeWhole(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  if (verify) {
    await requireTruth(folder, manifest)
    for (const { problem, message } of await checkBackup(target, folder, made)) problems.push(`${problem}: ${message}`)
  }
  const whole = paths.folder(made)
  await rename(folder, whole)
  await sync(target)
  await rememberTarget(dataDirectory, target)
  if (keep) {
    const backups = backupsIn(target)
    const kept = new Set(keep(backups))
    await removeBackups(backups.filter((backup) => !kept.has(backup)))
  }
  await removeUnusedFiles(target)
  const { files, bytes } = manifest.counts
  return { folder: whole, files, bytes, newFiles, problems }
}

async function copySmallFiles(dataDirectory: string, folder: string): Promise<string[]> {
  const copied: string[] = []
  for (const path of smallFilesIn(dataDirectory)) {
    makeFolder(dirname(join(folder, path)))
    try {
      await copyFile(join(dataDirectory, path), join(folder, path))
      copied.push(path)
    } catch (error) {
      // A dead letter may have been retried meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return copied
}
