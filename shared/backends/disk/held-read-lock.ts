import { DatabaseSync, type StatementSync } from 'node:sqlite'

/**
 * Holds the lock that readers of a WAL database share, until the end of a turn of the event loop. Each read takes that lock and gives it back,
 * two system calls that take longer than finding a row. SQLite makes neither for a connection whose process holds the lock by another
 * connection. So this is one that does nothing but hold it: reads that come together cost half.
 *
 * It changes nothing of what reads see: each takes the newest state for itself. Where another process has committed meanwhile, that state has
 * another lock, and reads cost as much as ever. Nothing is held between turns, where it would keep the WAL from being emptied.
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
    // The transaction takes the lock with its first read.
    this.#read = this.#database.prepare(`SELECT 1 FROM ${table} LIMIT 1`)
    this.#end = this.#database.prepare('COMMIT')
  }

  /** Holds it until the end of this turn. What keeps it from that is for the read itself to tell. */
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
