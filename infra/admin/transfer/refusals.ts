import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Refused } from './walk.ts'

/** What an import refuses, on the disk: it may be as long as a manifest. */
export class Refusals {
  count = 0
  readonly #database: DatabaseSync
  readonly #insert: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('CREATE TABLE refused (path TEXT NOT NULL, message TEXT NOT NULL, conflict INTEGER NOT NULL)')
    this.#insert = database.prepare('INSERT INTO refused (path, message, conflict) VALUES (?, ?, ?)')
  }

  /** @param isConflict whether its source id or id stands for another file */
  add({ path, message }: Refused, isConflict = false): void {
    this.count++
    this.#insert.run(path, message, Number(isConflict))
  }

  /** In the order in which they were added. */
  *all({ conflicts = false } = {}): Generator<Refused> {
    const rows = this.#database.prepare(`SELECT path, message FROM refused ${conflicts ? 'WHERE conflict' : ''} ORDER BY rowid`)
    for (const { path, message } of rows.iterate()) yield { path: String(path), message: String(message) }
  }
}
