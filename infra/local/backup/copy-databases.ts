import { copyFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { isBusy } from '../../../shared/backends/disk/sqlite-busy.ts'
import { DATABASES, SECRETS } from './contents.ts'

/** Time limit of a lock in milliseconds, and attempts to get all of them. */
const LOCK_TIMEOUT = 1_000
const ATTEMPTS = 10

/** Pages copied at a time. Others use the disk in between. */
const PAGES = 1_000

/**
 * Copies the databases of a data folder, and its keys, as of one moment: the copies are consistent with each other, and the keys decrypt all records
 * even if they are rotated meanwhile. Others keep reading and writing. They wait only while a read of each database is begun, from which its copy is
 * made.
 * @returns the paths of existing files, by kind
 */
export async function copyDatabases(directory: string, into: string): Promise<{ databases: string[]; keys: string[] }> {
  const databases = DATABASES.filter((path) => existsSync(join(directory, path)))
  const keys: string[] = []
  const copyKeys = () => {
    if (!existsSync(join(directory, SECRETS))) return
    copyFileSync(join(directory, SECRETS), join(into, SECRETS))
    keys.push(SECRETS)
  }
  using snapshots = await momentOf(
    databases.map((path) => join(directory, path)),
    copyKeys,
  )
  for (const [index, path] of databases.entries()) {
    makeFolder(dirname(join(into, path)))
    await backup(snapshots.databases[index]!, join(into, path), { rate: PAGES })
    leaveWalMode(join(into, path))
  }
  return { databases, keys }
}

/** Leaves WAL mode, in which readers would create files beside the copy. */
function leaveWalMode(path: string): void {
  const copy = new DatabaseSync(path)
  copy.exec('PRAGMA journal_mode = DELETE')
  copy.close()
}

class Snapshots {
  readonly databases: DatabaseSync[] = [];

  [Symbol.dispose](): void {
    for (const database of this.databases) database.close()
  }
}

/** @param inIt runs while no database can be written */
async function momentOf(files: readonly string[], inIt: () => void): Promise<Snapshots> {
  for (let attempt = 1; ; attempt += 1) {
    const snapshots = new Snapshots()
    try {
      beginReads(files, snapshots, inIt)
      return snapshots
    } catch (error) {
      snapshots[Symbol.dispose]()
      if (!isBusy(error) || attempt === ATTEMPTS) throw error
      // Another process may hold one lock and wait for another.
      await sleep(Math.random() * LOCK_TIMEOUT)
    }
  }
}

/** Begins a read of each database while all of them are locked. */
function beginReads(files: readonly string[], { databases }: Snapshots, inIt: () => void): void {
  using locks = new Snapshots()
  for (const file of files) {
    const lock = new DatabaseSync(file, { timeout: LOCK_TIMEOUT })
    locks.databases.push(lock)
    lock.exec('BEGIN IMMEDIATE')
  }
  for (const file of files) {
    const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT })
    databases.push(database)
    database.exec('BEGIN')
    // SQLite begins the read with the first SELECT.
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
  }
  inIt()
}
