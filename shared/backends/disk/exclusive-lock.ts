import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-busy.ts'

/**
 * Takes a lock that one process has at a time. It is a lock of the operating system, taken through SQLite, which can do so on each system. It
 * ends with the process, also one that is killed: no stale lock keeps others out.
 * @param file of the lock, made where it is missing
 * @param within milliseconds that it blocks this process at most
 * @returns how to unlock it; undefined while another process has it
 */
export function lockExclusively(file: string, { within = 0 } = {}): (() => void) | undefined {
  const lock = new DatabaseSync(file, { timeout: within })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return () => lock.close()
}

/** Whether some process has a lock now. */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false
  using lock = new DatabaseSync(file, { readOnly: true })
  try {
    lock.prepare('SELECT 1 FROM sqlite_master').all()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  }
}
