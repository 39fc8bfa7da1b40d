import { DatabaseSync } from 'node:sqlite'
import { ADDED_COLUMNS, SCHEMA } from './embedded-schema.ts'

/** The SQLite database of an embedded bucket. Several processes may have it open. */
export class IndexDatabase extends DatabaseSync {
  /** @param file path of the database, made when missing */
  constructor(file: string) {
    super(file, { timeout: 10_000 })
    // FULL: committed data survives a power cut, too. It costs a quarter of a millisecond for each write on an SSD.
    this.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    this.exec(SCHEMA)
    this.#addColumns()
  }

  /** Brings tables of earlier versions up to date. In one transaction, because other processes may do the same. */
  #addColumns(): void {
    const has = this.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?')
    const missing = () => ADDED_COLUMNS.filter(({ table, column }) => has.get(table, column) === undefined)
    if (missing().length === 0) return
    this.transaction(() => {
      for (const { table, column, type } of missing()) this.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`)
    })
  }

  /** Does work in one transaction: all of it happens, or none. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      if (this.isTransaction) this.exec('ROLLBACK')
      throw error
    }
  }
}
