import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another server works on the data folder. */
export class DataInUse extends Error {
  override name = 'DataInUse'
}

/**
 * Claims a data folder for one server. The claim is a lock of the operating system (through SQLite, which knows how on each), so it
 * ends with the process in whatever way that ends: no stale lock ever keeps a server from starting.
 * @param directory that is there
 * @returns how to let go
 * @throws DataInUse
 */
export function lockData(directory: string): () => void {
  const pidFile = join(directory, 'server.pid')
  const lock = new DatabaseSync(join(directory, 'server.lock'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new DataInUse(
      `The data folder ${directory} is in use by another server${processIn(pidFile)}. Stop that one first, or give this one another DATA_DIR.`,
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return () => lock.close()
}

const SQLITE_BUSY = 5

/** Only a help to find it: the lock decides. */
function processIn(pidFile: string): string {
  try {
    return ` (process ${Number(readFileSync(pidFile, 'utf8'))})`
  } catch {
    return ''
  }
}
