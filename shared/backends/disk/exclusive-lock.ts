import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-busy.ts'

/**
 * Takes a lock that one process has at a time. It is a lock of the operating system, taken through SQLite, which can do so on each system. It
 * ends with the process, also one that is killed: no stale lock keeps others out.
 * @param file of the lock, made where it is missing
 * @returns how to unlock it; undefined while another process has it
 */
export function lockExclusively(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return () => lock.close()
}
