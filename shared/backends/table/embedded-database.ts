import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { GroupCommit } from '../disk/group-commit.ts'
import { HeldReadLock } from '../disk/held-read-lock.ts'
import { enterWalMode } from '../disk/wal-mode.ts'
import { indexes } from './indexes.ts'
import { type Item, TableUnavailable } from './port.ts'
import { indexAttributes } from './rules.ts'

/** Milliseconds that a process waits for another one's write. */
export const BUSY_TIMEOUT = 10_000

/** A page ends when it holds as much data as this, as DynamoDB's do. */
export const PAGE_BYTES = 1024 * 1024

/**
 * The SQLite file behind the embedded table: its schema, its statements (each prepared once) and its write transactions, which writes share.
 *
 * WAL with `synchronous=FULL`: what is visible survives loss of power, and readers never wait. Items are rows of JSON; the
 * attributes of indexes are columns besides, because SQLite orders them by bytes as DynamoDB does. Several processes may have the
 * file open.
 */
export class TableDatabase {
  readonly #database: DatabaseSync
  readonly #writes: GroupCommit
  readonly #readLock: HeldReadLock
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
    try {
      enterWalMode(this.#database)
      this.#database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -16000')
      this.#writes = new GroupCommit(this.#database, BUSY_TIMEOUT)
      this.#writes.writeNow(() => this.#database.exec(SCHEMA))
      this.#readLock = new HeldReadLock(path, 'items')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /**
   * Runs `work` in the next transaction, with other writes. Its changes are undone when it throws.
   * @param committed called right after the COMMIT, before any other code runs
   */
  write<T>(work: () => T, committed?: (result: T) => void): Promise<T> {
    return this.#writes.write(work, committed).catch((error: unknown) => {
      throw asUnavailable(error)
    })
  }

  /** Makes the reads of this turn of the event loop cheaper. */
  holdReadLock(): void {
    this.#readLock.hold()
  }

  close(): void {
    this.#writes.end()
    this.#readLock.close()
    this.#database.close()
  }
}

/** Columns of the attributes by which indexes find items. */
const indexed = indexAttributes.map((attribute) => `"${attribute}"`)

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY, pk TEXT NOT NULL, sk TEXT NOT NULL, body TEXT NOT NULL, ttl INTEGER, ${indexed.map((column) => `${column} TEXT`)}
  );
  CREATE UNIQUE INDEX IF NOT EXISTS items_key ON items (pk, sk);
  CREATE INDEX IF NOT EXISTS items_ttl ON items (ttl) WHERE ttl IS NOT NULL;
  ${Object.entries(indexes)
    .map(
      ([name, { pk, sk }]) =>
        `CREATE INDEX IF NOT EXISTS "${name}" ON items ("${pk}", "${sk}", pk, sk) WHERE "${pk}" IS NOT NULL AND "${sk}" IS NOT NULL;`,
    )
    .join('\n')}
  CREATE TABLE IF NOT EXISTS changes (
    position INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT NOT NULL, sk TEXT NOT NULL, before TEXT, after TEXT, expired INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS positions (consumer TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
`

const stored = ['body', 'ttl', ...indexed]

/** Takes pk, sk and what `rowOf` returns. */
export const upsertItem = `INSERT INTO items (pk, sk, ${stored}) VALUES (?, ?, ${stored.map(() => '?')})
  ON CONFLICT (pk, sk) DO UPDATE SET ${stored.map((column) => `${column} = excluded.${column}`)}`

/** Columns besides the key in which an item is kept. */
export function rowOf(item: Item, body: string): SQLInputValue[] {
  const ttl = typeof item.ttl === 'number' ? Math.floor(item.ttl) : null
  return [body, ttl, ...indexAttributes.map((attribute) => (Object.hasOwn(item, attribute) ? (item[attribute] as string) : null))]
}

/** Runs work on the database. Errors of SQLite (busy, full, unreadable disk) become `TableUnavailable`. */
export function available<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asUnavailable(error)
  }
}

function asUnavailable(error: unknown): unknown {
  const isSqlite = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  return isSqlite ? new TableUnavailable(`embedded table: ${error.message}`, { cause: error }) : error
}
