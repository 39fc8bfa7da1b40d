import { DatabaseSync } from 'node:sqlite'
import type { PreviewOutput, StreamOutput } from '../../vocabulary/video.ts'
import { enterWalMode } from '../disk/wal-mode.ts'
import type { TranscodingJob } from './port.ts'

/** How long a process waits for the others' locks, in milliseconds. */
const LOCK_TIMEOUT = 5_000

/** What a job makes. Each kind has its own queue. */
export type JobKind = (PreviewOutput | StreamOutput)['kind']

/** What is stored of a job besides what it is to do. `waiting` and `running` have no end yet, `done` and `failed` have one. */
export interface JobRow {
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** Why it failed. */
  reason: string | null
}

/** A job that was taken, and how often so far. */
export interface TakenJob {
  job: TranscodingJob
  attempts: number
}

/**
 * All jobs in one SQLite file in WAL mode, which several processes open at once. Every method is one statement, and committed data is on the
 * disk (`synchronous = FULL`): jobs survive `kill -9` and a power cut. Times are UTC milliseconds.
 */
export class JobStore {
  readonly #db: DatabaseSync
  readonly #add
  readonly #find
  readonly #isWaiting
  readonly #take
  readonly #release
  readonly #interrupt
  readonly #end
  readonly #cancel
  readonly #cancelled
  readonly #untold
  readonly #tell
  readonly #forget

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT })
    this.#db.exec('PRAGMA synchronous = FULL')
    enterWalMode(this.#db)
    this.#db.exec(schema)
    this.#add = this.#db.prepare('INSERT INTO jobs (token, kind, company, job) VALUES (?, ?, ?, ?) ON CONFLICT (token) DO NOTHING')
    this.#find = this.#db.prepare('SELECT state, reason FROM jobs WHERE token = ?')
    this.#isWaiting = this.#db.prepare("SELECT 1 FROM jobs WHERE state = 'waiting' AND kind = ? LIMIT 1")
    this.#take = this.#db.prepare(takeNext)
    this.#release = this.#db.prepare("UPDATE jobs SET state = 'waiting', attempts = attempts - 1 WHERE token = ? AND state = 'running'")
    this.#interrupt = this.#db.prepare(interrupt)
    this.#end = this.#db.prepare("UPDATE jobs SET state = ?, reason = ?, ended = ? WHERE token = ? AND state = 'running'")
    this.#cancel = this.#db.prepare(cancel)
    this.#cancelled = this.#db.prepare("SELECT token FROM jobs WHERE state = 'running' AND is_cancelled = 1")
    this.#untold = this.#db.prepare('SELECT job FROM jobs WHERE is_told = 0 AND ended > 0 ORDER BY id LIMIT 100')
    this.#tell = this.#db.prepare('UPDATE jobs SET is_told = 1 WHERE token = ?')
    this.#forget = this.#db.prepare('DELETE FROM jobs WHERE is_told = 1 AND ended < ?')
  }

  /** Adds a job, unless there is one with its token. */
  add(job: TranscodingJob): void {
    this.#add.run(job.token, job.output.kind, job.companyId, JSON.stringify(job))
  }

  find(token: string): JobRow | undefined {
    return this.#find.get(token) as JobRow | undefined
  }

  /** Makes the next waiting job a running one: the oldest of the company whose turn it is. Takes one read where none waits. */
  take(kind: JobKind): TakenJob | undefined {
    if (!this.#isWaiting.get(kind)) return undefined
    const row = this.#take.get({ kind })
    return row && { job: JSON.parse(String(row.job)), attempts: Number(row.attempts) }
  }

  /** Makes a running job a waiting one, as if it had not been taken. */
  release(token: string): void {
    this.#release.run(token)
  }

  /**
   * Makes a running job a waiting one, or a failed one where it was cancelled or had so many attempts.
   * @param token all running jobs without it
   */
  interrupt({ token, ...rules }: { token?: string; maxAttempts: number; cancelled: string; reason: string; now: number }): void {
    this.#interrupt.run({ token: token ?? null, ...rules })
  }

  /** Ends a running job. @param reason why it failed; null when it is done */
  end(token: string, reason: string | null, now: number): void {
    this.#end.run(reason === null ? 'done' : 'failed', reason, now, token)
  }

  /** Ends a waiting job, and marks a running one. */
  cancel(token: string, reason: string, now: number): void {
    this.#cancel.run({ token, reason, now })
  }

  /** Running jobs that are to end. */
  cancelled(): string[] {
    return this.#cancelled.all().map(({ token }) => String(token))
  }

  /** The oldest 100 jobs that ended and nobody was told of. */
  untold(): TranscodingJob[] {
    return this.#untold.all().map(({ job }) => JSON.parse(String(job)))
  }

  /** Notes that somebody was told of the job's end. */
  tell(token: string): void {
    this.#tell.run(token)
  }

  /** Removes jobs that ended before that time and of which somebody was told. */
  forget(before: number): void {
    this.#forget.run(before)
  }

  close(): void {
    this.#db.close()
  }
}

/** Pixels of all frames of a long video, above which it waits behind others' short ones: ten minutes of 1080p at 30 frames a second. */
const LONG_PIXELS = 600 * 30 * 1_920 * 1_080

/** How many later jobs a long one lets pass. */
const MOST_PASSING = 10

/** Whether the job `own` has a long video. One that tells little of itself may be long. */
const isLong = `
  coalesce(own.job ->> '$.source.facts.seconds', 43200) * coalesce(own.job ->> '$.source.facts.frameRate', 60)
    * (own.job ->> '$.source.width') * (own.job ->> '$.source.height') > ${LONG_PIXELS}
`

/**
 * Of companies with a waiting job, the one whose last turn is longest ago. One that never had a turn comes first. Those whose next one is
 * long come after those whose next one is short.
 */
const takeNext = `
  UPDATE jobs SET state = 'running', attempts = attempts + 1, turn = (SELECT coalesce(max(turn), 0) + 1 FROM jobs)
  WHERE id = (
    SELECT own.id FROM (SELECT min(id) AS id FROM jobs WHERE state = 'waiting' AND kind = $kind GROUP BY company) AS next
    JOIN jobs AS own ON own.id = next.id
    ORDER BY
      ${isLong} AND (SELECT count(*) FROM jobs WHERE id > own.id AND kind = $kind AND turn > 0) < ${MOST_PASSING},
      (SELECT max(turn) FROM jobs WHERE kind = $kind AND company = own.company) NULLS FIRST, own.id
    LIMIT 1
  )
  RETURNING job, attempts
`

const cancel = `
  UPDATE jobs SET is_cancelled = 1, state = iif(state = 'waiting', 'failed', state),
    reason = iif(state = 'waiting', $reason, reason), ended = iif(state = 'waiting', $now, ended)
  WHERE token = $token AND ended IS NULL
`

const interrupt = `
  UPDATE jobs SET state = iif(is_cancelled OR attempts >= $maxAttempts, 'failed', 'waiting'),
    reason = iif(is_cancelled, $cancelled, iif(attempts >= $maxAttempts, $reason, NULL)),
    ended = iif(is_cancelled OR attempts >= $maxAttempts, $now, NULL)
  WHERE state = 'running' AND ($token IS NULL OR token = $token)
`

/** `turn` grows with each attempt: when a company had its last one. */
const schema = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    company INTEGER NOT NULL,
    job TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    turn INTEGER,
    is_cancelled INTEGER NOT NULL DEFAULT 0,
    ended INTEGER,
    is_told INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, kind, company);
  CREATE INDEX IF NOT EXISTS jobs_by_company ON jobs (kind, company, turn);
  CREATE INDEX IF NOT EXISTS jobs_by_turn ON jobs (turn);
  CREATE INDEX IF NOT EXISTS jobs_by_end ON jobs (is_told, ended);
  COMMIT;
`
