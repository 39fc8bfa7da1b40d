import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-busy.ts'

/**
 * Takes a lock that one process holds at a time. It is a lock of the operating system, taken through SQLite, which supports all systems. It
 * ends with the process, even if that is killed, so locks are never stale.
 * @param file the lock's file; created if missing
 * @param within longest time to wait, in milliseconds; blocks this process
 * @returns a function that unlocks it; undefined if another process holds it
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

/** Whether a process holds the lock now. */
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
