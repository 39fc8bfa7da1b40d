import { DatabaseSync, type StatementSync } from 'node:sqlite'

/**
 * Holds the shared read lock of a WAL database until the end of a turn of the event loop. Without it each read takes and releases the lock:
 * two system calls, which take longer than finding a row. SQLite skips both if another connection of the process holds the lock, so this
 * connection does nothing but hold it. Reads in the same turn cost half.
 *
 * Reads still see the newest state. After a commit by another process that state has another lock, and reads cost the full price. Nothing
 * is held between turns, because that would prevent checkpoints of the WAL.
 */
export class HeldReadLock {
  readonly #database: DatabaseSync
  readonly #begin: StatementSync
  readonly #read: StatementSync
  readonly #end: StatementSync

  /** @param path of a database in WAL mode @param table any of its tables */
  constructor(path: string, table: string) {
    this.#database = new DatabaseSync(path, { readOnly: true })
    this.#begin = this.#database.prepare('BEGIN')
    // The first read of the transaction takes the lock.
    this.#read = this.#database.prepare(`SELECT 1 FROM ${table} LIMIT 1`)
    this.#end = this.#database.prepare('COMMIT')
  }

  /** Holds the lock until the end of this turn. Ignores failures: the read itself reports them. */
  hold(): void {
    if (this.#database.isTransaction) return
    try {
      this.#begin.run()
      this.#read.get()
    } catch {
      this.#release()
      return
    }
    setImmediate(() => this.#release())
  }

  close(): void {
    this.#release()
    this.#database.close()
  }

  #release(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#end.run()
  }
}
