import { DatabaseSync } from 'node:sqlite'
import { GroupCommit } from '../disk/group-commit.ts'
import { enterWalMode } from '../disk/wal-mode.ts'
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
 * All queues' messages in one SQLite file in WAL mode, which several processes open at once. Every method happens whole or not at all. What
 * it changes is on the disk when it resolves (`synchronous = FULL`): sent messages survive `kill -9` and a power cut.
 *
 * Times are UTC milliseconds. An id is never used twice, so a receipt can't mean a later message.
 */
export class MessageStore {
  readonly #db: DatabaseSync
  readonly #writes: GroupCommit
  readonly #insert
  readonly #anyVisible
  readonly #nextGroup
  readonly #takeTurn
  readonly #moveToDeadLetters
  readonly #receive
  readonly #delete
  readonly #hide
  readonly #release
  readonly #depth
  readonly #deadLetters
  readonly #deadLetterCount
  readonly #copyDeadLetters
  readonly #deleteDeadLetters

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: lockTimeout })
    this.#db.exec('PRAGMA synchronous = FULL')
    createSchema(this.#db)
    this.#writes = new GroupCommit(this.#db, lockTimeout)
    this.#insert = this.#db.prepare('INSERT INTO messages (queue, message_group, body, visible_at) VALUES (?, ?, ?, ?)')
    this.#anyVisible = this.#db.prepare('SELECT 1 FROM messages WHERE queue = ? AND parked = 0 AND visible_at <= ? LIMIT 1')
    this.#nextGroup = this.#db.prepare(nextGroup)
    this.#takeTurn = this.#db.prepare(takeTurn)
    this.#moveToDeadLetters = this.#db.prepare(
      `UPDATE messages INDEXED BY messages_received SET parked = 1
       WHERE queue = ? AND parked = 0 AND receives > 0 AND receives >= ? AND visible_at <= ?`,
    )
    this.#receive = this.#db.prepare(
      `UPDATE messages SET receives = receives + 1, visible_at = ? WHERE id =
         (SELECT id FROM messages WHERE queue = ? AND parked = 0 AND message_group = ? ORDER BY visible_at, id LIMIT 1)
       RETURNING id, body, receives`,
    )
    this.#delete = this.#db.prepare('DELETE FROM messages WHERE id = ? AND receives = ? AND queue = ? AND parked = 0')
    this.#hide = this.#db.prepare(
      'UPDATE messages SET visible_at = ? WHERE id = ? AND receives = ? AND queue = ? AND parked = 0 AND visible_at > ?',
    )
    this.#release = this.#db.prepare('UPDATE messages SET visible_at = ? WHERE parked = 0 AND receives > 0 AND visible_at > ?')
    this.#depth = this.#db.prepare(
      'SELECT count(*) FILTER (WHERE parked = 0) AS waiting, count(*) FILTER (WHERE parked = 1) AS dead FROM messages WHERE queue = ?',
    )
    this.#deadLetters = this.#db.prepare('SELECT body FROM messages WHERE queue = ? AND parked = 1 ORDER BY id LIMIT ?')
    this.#copyDeadLetters = this.#db.prepare(
      `INSERT INTO messages (queue, message_group, body, visible_at)
       SELECT queue, message_group, body, ? FROM messages WHERE queue = ? AND parked = 1 AND visible_at <= ?
       GROUP BY message_group, body ORDER BY min(id)`,
    )
    this.#deleteDeadLetters = this.#db.prepare('DELETE FROM messages WHERE queue = ? AND parked = 1 AND visible_at <= ?')
    this.#deadLetterCount = this.#db.prepare(
      'SELECT count(*) AS count, min(visible_at) AS since FROM messages WHERE queue = ? AND parked = 1',
    )
  }

  /** The messages of a queue that no consumer takes any more, dead letters too. */
  bodies(queue: string): string[] {
    return this.#db
      .prepare('SELECT DISTINCT body FROM messages WHERE queue = ?')
      .all(queue)
      .map(({ body }) => String(body))
  }

  /** Deletes all messages of a queue. */
  clear(queue: string): Promise<void> {
    return this.#writes.write(() => void this.#db.prepare('DELETE FROM messages WHERE queue = ?').run(queue))
  }

  /** Adds all messages or none. @param group '' for none */
  add(queue: string, group: string, bodies: readonly string[], visibleAt: number): Promise<void> {
    return this.#writes.write(() => {
      for (const body of bodies) this.#insert.run(queue, group, body, visibleAt)
    })
  }

  /**
   * Makes dead letters of messages that were received too often, then receives visible ones, group by group in turn. When none is visible
   * it takes one read and no write lock.
   */
  async take(queue: string, max: number, now: number, settings: QueueSettings): Promise<ReceivedRow[]> {
    if (!this.#anyVisible.get(queue, now)) return []
    return this.#writes.write(() => {
      this.#moveToDeadLetters.run(queue, settings.maxReceives, now)
      const rows: ReceivedRow[] = []
      for (let row = this.#takeNext(queue, now, settings); row; row = this.#takeNext(queue, now, settings)) {
        rows.push(row)
        if (rows.length === max) break
      }
      return rows
    })
  }

  /** Takes the oldest visible message of the group whose turn it is. */
  #takeNext(queue: string, now: number, settings: QueueSettings): ReceivedRow | undefined {
    const next = this.#nextGroup.get({ queue, now })
    if (!next) return undefined
    const group = String(next.message_group)
    this.#takeTurn.run({ queue, group })
    return this.#receive.get(now + settings.visibilitySeconds * 1_000, queue, group) as unknown as ReceivedRow
  }

  /** Deletes a message that hasn't been received again since. */
  async remove(queue: string, id: number, receives: number): Promise<void> {
    await this.#writes.write(() => this.#delete.run(id, receives, queue))
  }

  /** Changes how long a message in flight stays hidden. */
  async hide(queue: string, id: number, receives: number, until: number, now: number): Promise<void> {
    await this.#writes.write(() => this.#hide.run(until, id, receives, queue, now))
  }

  /** Makes all messages in flight visible, at once. */
  release(now: number): void {
    this.#writes.writeNow(() => this.#release.run(now, now))
  }

  /** Numbers of messages (in flight and delayed ones included) and of dead letters. */
  depth(queue: string): { waiting: number; dead: number } {
    return this.#depth.get(queue) as { waiting: number; dead: number }
  }

  /** Bodies of dead letters, oldest first. */
  deadLetters(queue: string, max: number): string[] {
    return this.#deadLetters.all(queue, max).map((row) => String(row.body))
  }

  /** The number of dead letters, and since when the first of them is one: when its consumer last failed. */
  deadLetterCount(queue: string): { count: number; since: number | null } {
    return this.#deadLetterCount.get(queue) as { count: number; since: number | null }
  }

  /**
   * Makes new messages of the dead letters from `latest` or before, at once. Equal ones become one message.
   * @returns how many dead letters there were
   */
  redrive(queue: string, now: number, latest: number): number {
    if ((this.deadLetterCount(queue).since ?? Number.POSITIVE_INFINITY) > latest) return 0
    return this.#writes.writeNow(() => {
      this.#copyDeadLetters.run(now, queue, latest)
      return Number(this.#deleteDeadLetters.run(queue, latest).changes)
    })
  }

  close(): void {
    this.#writes.end()
    this.#db.close()
  }
}

/**
 * Of the groups with a visible message, the one whose last turn is longest ago. A group that never had a turn comes first. The query steps
 * from group to group in an index, so that a group's backlog costs nothing.
 */
const nextGroup = `
  WITH RECURSIVE waiting(message_group) AS (
    SELECT min(message_group) FROM messages WHERE queue = $queue AND parked = 0
    UNION ALL
    SELECT (SELECT min(message_group) FROM messages WHERE queue = $queue AND parked = 0 AND message_group > waiting.message_group)
    FROM waiting WHERE message_group IS NOT NULL
  ), oldest AS (
    SELECT message_group,
      (SELECT min(visible_at) FROM messages WHERE queue = $queue AND parked = 0 AND message_group = waiting.message_group) AS visible_at
    FROM waiting
  )
  SELECT oldest.message_group FROM oldest LEFT JOIN turns ON turns.queue = $queue AND turns.message_group = oldest.message_group
  WHERE visible_at <= $now ORDER BY turn NULLS FIRST, visible_at LIMIT 1
`

const takeTurn = `
  INSERT INTO turns (queue, message_group, turn)
  VALUES ($queue, $group, (SELECT coalesce(max(turn), 0) + 1 FROM turns WHERE queue = $queue))
  ON CONFLICT (queue, message_group) DO UPDATE SET turn = excluded.turn
`

/** `parked` is 1 for a dead letter. Stored files have the column under this name. */
const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    message_group TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL,
    visible_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0,
    parked INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS turns (
    queue TEXT NOT NULL,
    message_group TEXT NOT NULL,
    turn INTEGER NOT NULL,
    PRIMARY KEY (queue, message_group)
  ) STRICT, WITHOUT ROWID;
`

const indexes = `
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, parked, visible_at);
  CREATE INDEX IF NOT EXISTS messages_by_group ON messages (queue, parked, message_group, visible_at);
  CREATE INDEX IF NOT EXISTS messages_received ON messages (queue, receives) WHERE parked = 0 AND receives > 0;
  CREATE INDEX IF NOT EXISTS turns_by_turn ON turns (queue, turn);
`

function createSchema(db: DatabaseSync): void {
  enterWalMode(db)
  db.exec(`BEGIN IMMEDIATE; ${schema}`)
  // Files of versions without groups lack the column.
  const columns = db.prepare("SELECT name FROM pragma_table_info('messages')").all()
  if (!columns.some(({ name }) => name === 'message_group')) {
    db.exec("ALTER TABLE messages ADD COLUMN message_group TEXT NOT NULL DEFAULT ''")
  }
  db.exec(`${indexes} COMMIT`)
}
