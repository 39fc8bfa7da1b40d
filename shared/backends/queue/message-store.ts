import { DatabaseSync } from 'node:sqlite'
import { enterWalMode } from '../sqlite.ts'
import type { QueueSettings } from './port.ts'

/** How long a process waits for the others' locks, in milliseconds. */
const lockTimeout = 5_000

/** A received row. `id` and `receives` together name the delivery. */
export interface ReceivedRow {
  id: number
  body: string
  receives: number
}

/**
 * All queues' messages in one SQLite file in WAL mode, which several processes open at once. Every method is one
 * transaction, and committed work is on the disk (`synchronous = FULL`): what was sent outlives `kill -9` and a power cut.
 *
 * Times are UTC milliseconds. Ids are never used twice, so a receipt can't name a later message.
 */
export class MessageStore {
  readonly #db: DatabaseSync
  readonly #insert
  readonly #anyVisible
  readonly #park
  readonly #receive
  readonly #delete
  readonly #hide
  readonly #release
  readonly #depth
  readonly #parked
  readonly #copyParked
  readonly #deleteParked

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: lockTimeout })
    this.#db.exec('PRAGMA synchronous = FULL')
    createSchema(this.#db)
    this.#insert = this.#db.prepare('INSERT INTO messages (queue, body, visible_at) VALUES (?, ?, ?)')
    this.#anyVisible = this.#db.prepare('SELECT 1 FROM messages WHERE queue = ? AND parked = 0 AND visible_at <= ? LIMIT 1')
    this.#park = this.#db.prepare(
      `UPDATE messages INDEXED BY messages_received SET parked = 1
       WHERE queue = ? AND parked = 0 AND receives > 0 AND receives >= ? AND visible_at <= ?`,
    )
    this.#receive = this.#db.prepare(
      `UPDATE messages SET receives = receives + 1, visible_at = ? WHERE id IN
         (SELECT id FROM messages WHERE queue = ? AND parked = 0 AND visible_at <= ? ORDER BY visible_at, id LIMIT ?)
       RETURNING id, body, receives`,
    )
    this.#delete = this.#db.prepare('DELETE FROM messages WHERE id = ? AND receives = ? AND queue = ? AND parked = 0')
    this.#hide = this.#db.prepare(
      'UPDATE messages SET visible_at = ? WHERE id = ? AND receives = ? AND queue = ? AND parked = 0 AND visible_at > ?',
    )
    this.#release = this.#db.prepare('UPDATE messages SET visible_at = ? WHERE parked = 0 AND receives > 0 AND visible_at > ?')
    this.#depth = this.#db.prepare(
      'SELECT count(*) FILTER (WHERE parked = 0) AS waiting, count(*) FILTER (WHERE parked = 1) AS parked FROM messages WHERE queue = ?',
    )
    this.#parked = this.#db.prepare('SELECT body FROM messages WHERE queue = ? AND parked = 1 ORDER BY id LIMIT ?')
    this.#copyParked = this.#db.prepare(
      'INSERT INTO messages (queue, body, visible_at) SELECT queue, body, ? FROM messages WHERE queue = ? AND parked = 1 ORDER BY id',
    )
    this.#deleteParked = this.#db.prepare('DELETE FROM messages WHERE queue = ? AND parked = 1')
  }

  /** Adds all or none. */
  add(queue: string, bodies: readonly string[], visibleAt: number): void {
    this.#transaction(() => {
      for (const body of bodies) this.#insert.run(queue, body, visibleAt)
    })
  }

  /** Parks what was received too often, then takes what is visible. Costs a read, no write lock, when nothing is. */
  take(queue: string, max: number, now: number, settings: QueueSettings): ReceivedRow[] {
    if (!this.#anyVisible.get(queue, now)) return []
    return this.#transaction(() => {
      this.#park.run(queue, settings.maxReceives, now)
      return this.#receive.all(now + settings.visibilitySeconds * 1_000, queue, now, max) as unknown as ReceivedRow[]
    })
  }

  /** Deletes a message that hasn't been received again since. */
  remove(queue: string, id: number, receives: number): void {
    this.#delete.run(id, receives, queue)
  }

  /** Changes how long a message in flight stays hidden. */
  hide(queue: string, id: number, receives: number, until: number, now: number): void {
    this.#hide.run(until, id, receives, queue, now)
  }

  /** Makes visible what was received and neither deleted nor given back yet. */
  release(now: number): void {
    this.#release.run(now, now)
  }

  /** How many messages are to be done, in flight or delayed ones included, and how many are parked. */
  depth(queue: string): { waiting: number; parked: number } {
    return this.#depth.get(queue) as { waiting: number; parked: number }
  }

  /** Bodies of parked messages, oldest first. */
  parked(queue: string, max: number): string[] {
    return this.#parked.all(queue, max).map((row) => String(row.body))
  }

  /** Makes new messages of the parked ones. @returns how many */
  redrive(queue: string, now: number): number {
    return this.#transaction(() => {
      this.#copyParked.run(now, queue)
      return Number(this.#deleteParked.run(queue).changes)
    })
  }

  close(): void {
    this.#db.close()
  }

  /** Takes the write lock at the start: a transaction that read first could not wait for it. */
  #transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }
}

const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    body TEXT NOT NULL,
    visible_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0,
    parked INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, parked, visible_at);
  CREATE INDEX IF NOT EXISTS messages_received ON messages (queue, receives) WHERE parked = 0 AND receives > 0;
`

function createSchema(db: DatabaseSync): void {
  enterWalMode(db)
  db.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
}
