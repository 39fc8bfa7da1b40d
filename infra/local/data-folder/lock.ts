import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLocked, lockExclusively } from '../../../shared/backends/disk/exclusive-lock.ts'

const lockIn = (directory: string) => join(directory, 'server.lock')

/** Milliseconds in which commands that only look at the lock are done. */
const LOOKED_WITHIN = 200

/** Whether a server uses a data folder now. */
export const isServed = (directory: string): boolean => isLocked(lockIn(directory))

/** Another server uses the data folder. */
class DataInUse extends Error {
  override name = 'DataInUse'
}

/**
 * Locks a data folder for one server, until the process ends.
 * @param directory an existing folder
 * @returns how to unlock it
 * @throws DataInUse
 */
export function lockData(directory: string): () => void {
  const pidFile = join(directory, 'server.pid')
  const unlock = lockExclusively(lockIn(directory), { within: LOOKED_WITHIN })
  if (!unlock) {
    throw new DataInUse(
      `The data folder ${directory} is in use by another server${processIn(pidFile)}. Stop that one first, or give this one another DATA_DIR.`,
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return unlock
}

/** Helps the operator to find the other server. The lock alone decides. */
function processIn(pidFile: string): string {
  try {
    return ` (process ${Number(readFileSync(pidFile, 'utf8'))})`
  } catch {
    return ''
  }
}
