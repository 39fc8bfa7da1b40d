import type { TableDatabase } from './embedded-database.ts'
import type { Change, Item, Key } from './port.ts'

/** Longest text of all changes in one batch, in UTF-16 units: a batch ends there even below its limit. */
const BATCH_LENGTH = 1024 * 1024

/**
 * The change log of the embedded table and each consumer's position in it. A change is written in the transaction that makes it and stays
 * until the log is trimmed. SQLite has one writer at a time, so changes are in the order of commits.
 */
export class EmbeddedChanges {
  readonly #database: TableDatabase

  constructor(database: TableDatabase) {
    this.#database = database
  }

  /** Logs a change, given the item's texts before and after. To be called in the transaction that makes the change. */
  record(key: Key, before: string | undefined, after: string | undefined, expired = false): void {
    this.#database
      .statement('INSERT INTO changes (pk, sk, before, after, expired) VALUES (?, ?, ?, ?, ?)')
      .run(key.pk, key.sk, before ?? null, after ?? null, Number(expired))
  }

  read(position: string | undefined, limit: number): { changes: Change[]; position: string | undefined } {
    const rows = this.#database
      .statement('SELECT position, pk, sk, before, after, expired FROM changes WHERE position > ? ORDER BY position LIMIT ?')
      .iterate(Number(position ?? 0), limit)
    const changes: Change[] = []
    let length = 0
    for (const row of rows as Iterable<Row>) {
      changes.push(changeOf(row))
      length += (row.before?.length ?? 0) + (row.after?.length ?? 0)
      if (length >= BATCH_LENGTH) break
    }
    return { changes, position: changes.at(-1)?.id ?? position }
  }

  /** A consumer's position; undefined before it first saved one. */
  position(consumer: string): string | undefined {
    const row = this.#database.statement('SELECT position FROM positions WHERE consumer = ?').get(consumer)
    return row && String(row.position)
  }

  savePosition(consumer: string, position: string): void {
    this.#database
      .statement('INSERT INTO positions VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position')
      .run(consumer, Number(position))
  }

  /** Deletes the oldest changes that all of these consumers have passed. @returns how many, at most `limit` */
  trim(consumers: readonly string[], limit: number): number {
    const passed = Math.min(...consumers.map((consumer) => Number(this.position(consumer) ?? 0)))
    const oldest = 'SELECT position FROM changes WHERE position <= ? ORDER BY position LIMIT ?'
    return Number(this.#database.statement(`DELETE FROM changes WHERE position IN (${oldest})`).run(passed, limit).changes)
  }
}

interface Row {
  position: number
  pk: string
  sk: string
  before: string | null
  after: string | null
  expired: number
}

function changeOf(row: Row): Change {
  return {
    id: String(row.position),
    key: { pk: row.pk, sk: row.sk },
    ...(row.before !== null && { before: JSON.parse(row.before) as Item }),
    ...(row.after !== null && { after: JSON.parse(row.after) as Item }),
    ...(row.expired === 1 && { expired: true }),
  }
}
