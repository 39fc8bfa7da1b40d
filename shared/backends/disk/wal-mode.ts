import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-busy.ts'

/** Longest wait for the lock, and pause between attempts, in milliseconds. */
const LONGEST_WAIT = 10_000
const PAUSE = 5

/**
 * Switches a database to WAL mode, in which readers and a writer don't block each other. SQLite's busy timeout doesn't apply when several
 * processes do this to a new file at once ("database is locked" in one of a hundred races), so this function waits itself.
 */
export function enterWalMode(database: DatabaseSync): void {
  const deadline = performance.now() + LONGEST_WAIT
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}
