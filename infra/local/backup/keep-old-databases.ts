import { existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockExclusively } from '../../../shared/backends/disk/exclusive-lock.ts'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { DATA_FORMAT, schemaOf } from '../data-folder/format.ts'
import { hasLibrary } from '../data-folder/prepare.ts'
import { smallFilesIn } from './contents.ts'
import { copyDatabases } from './copy-databases.ts'
import { sync } from './durable.ts'

/** Milliseconds between attempts to get the lock. */
const PAUSE = 20

/**
 * Copies the databases of an earlier version's data folder before their migration. Object files never change, so the copies suffice for a rollback to
 * that version. An interrupted update keeps its first copies. Programs that start at the same time wait for the copying one.
 * @returns a message to the operator; undefined for folders of this version's format
 * @throws Error with the system's code
 */
export async function keepOldDatabases(directory: string): Promise<string | undefined> {
  const folder = join(directory, `before-format-${DATA_FORMAT}`)
  const schema = schemaOf(directory)
  if (schema === DATA_FORMAT || !hasLibrary(directory)) return undefined
  if (!existsSync(folder)) await copyOnce(folder, directory)
  return `The data folder ${directory} is of an earlier version (format ${schema}) and is brought up to date. Its databases are kept in ${folder}.`
}

async function copyOnce(folder: string, directory: string): Promise<void> {
  const file = `${folder}.lock`
  let unlock = lockExclusively(file)
  while (!unlock) {
    await sleep(PAUSE)
    unlock = lockExclusively(file)
  }
  try {
    if (!existsSync(folder)) await copyTo(folder, directory)
  } finally {
    unlock()
  }
  // The folder exists now, so the lock is obsolete.
  await rm(file, { force: true })
}

async function copyTo(folder: string, directory: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  makeFolder(unfinished)
  const { databases, keys } = await copyDatabases(directory, unfinished)
  const smallFiles = smallFilesIn(directory).filter((path) => !path.includes('/'))
  for (const path of smallFiles) await copyFile(join(directory, path), join(unfinished, path))
  for (const path of [...databases, ...keys, ...smallFiles, '.']) await sync(join(unfinished, path))
  await rename(unfinished, folder)
  await sync(directory)
}
