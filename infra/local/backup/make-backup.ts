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
import { schemaOf } from '../data-folder/format.ts'
import { checkBackup } from './check-copy.ts'
import { BUCKETS, smallFilesIn } from './contents.ts'
import { copyDatabases } from './copy-databases.ts'
import { sync } from './durable.ts'
import { describe, MANIFEST, requireTruth } from './manifest.ts'
import { OBJECT_LIST } from './object-list.ts'
import { placeObjectFiles } from './place-object-files.ts'
import { removeBackups, removeUnusedFiles } from './remove-unused.ts'
import { backupsIn, backupTarget, lockTarget, prepareTarget, removeUnfinished, type StoredBackup } from './target.ts'

export interface BackupOptions {
  dataDirectory: string
  /** Folder that holds backups, any number of them; made where it is missing. */
  target: string
  productVersion: string
  clock: Clock
  /** Whether every file is read, also those that were there, and the library that the backup holds is checked. */
  verify: boolean
  /** Which of the backups of the target stay after this one, the newest first; without it all. */
  keep?: (backups: readonly StoredBackup[]) => readonly StoredBackup[]
}

/** What a backup holds. */
export interface MadeBackup {
  folder: string
  /** Files of objects, and their bytes. */
  files: number
  bytes: number
  /** Those of the files that no backup before held. */
  newFiles: number
  /** Sentences on what is wrong with the library, or with files of it that are damaged or not there. The backup holds all else. */
  problems: string[]
}

/**
 * Backs a data folder up while the server may run: the databases first, as they are at one moment, then the files of objects that they name, of
 * which none is removed meanwhile. A file that an earlier backup holds is not copied again. Until its folder is renamed at the end, there is no
 * such backup, and those before stay as they are whatever happens.
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
    // An opened bucket has cleaned up after writers that crashed.
    openEmbeddedObjects(directory, clock).close()
    opened.defer(holdFiles(directory))
  }
  // Makes them in a library that no server has opened yet.
  openEmbeddedSecrets(embeddedLayout(dataDirectory).secrets)
  const made = new Date(clock.now())
  const { databases, keys } = await copyDatabases(dataDirectory, folder)
  const smallFiles = [...keys, ...(await copySmallFiles(dataDirectory, folder))]
  const { newFiles, problems } = await placeObjectFiles({ dataDirectory, target, folder, verify })
  const manifest = await describe(folder, {
    ...{ schema: schemaOf(dataDirectory), product_version: productVersion, made: made.toISOString() },
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
      // A dead letter may have succeeded meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return copied
}
