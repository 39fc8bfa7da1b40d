import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another server uses the data folder. */
class DataInUse extends Error {
  override name = 'DataInUse'
}

/**
 * Locks a data folder for one server. It is a lock of the operating system, taken through SQLite, which can do so on each system. It ends
 * with the process, also one that is killed: no stale lock keeps a server from starting.
 * @param directory an existing folder
 * @returns how to unlock it
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

/** Helps the operator to find the other server. The lock alone decides. */
function processIn(pidFile: string): string {
  try {
    return ` (process ${Number(readFileSync(pidFile, 'utf8'))})`
  } catch {
    return ''
  }
}
