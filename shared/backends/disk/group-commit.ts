import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isBusy } from './sqlite-busy.ts'

/** Milliseconds of work after which a group is committed. Then other requests have their turn, and the next group comes. */
const LONGEST_GROUP = 5
/** Pause between attempts to get the lock that another process holds, in milliseconds. */
const PAUSE = 1

/** A write that waits for its group. */
interface Write {
  /** By the clock of `performance`, in milliseconds. */
  askedAt: number
  /** Does it, within the transaction of its group. @returns how to answer it once that is committed. @throws what is its own fault */
  work(): () => void
  reject(error: unknown): void
}

/**
 * Write transactions of one SQLite database, in groups: writes that are asked for in one turn of the event loop share a transaction, thus
 * one sync of the disk. Each has a savepoint of its own, so one that fails takes back its own changes alone. All are answered after the
 * COMMIT, failed ones too: what they failed on may be a change of the same group.
 *
 * A group is begun, done and committed without a turn of the event loop in between, so that reads over the same connection never see
 * uncommitted data. While another process holds the lock, the event loop goes on, and the group grows.
 */
export class GroupCommit {
  readonly #database: DatabaseSync
  readonly #busyTimeout: number
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #rollback: StatementSync
  readonly #savepoint: StatementSync
  readonly #release: StatementSync
  readonly #rollbackTo: StatementSync
  #waiting: Write[] = []
  #isScheduled = false

  /** @param busyTimeout how long a write waits for the locks of other processes, in milliseconds; also what the database has as its timeout */
  constructor(database: DatabaseSync, busyTimeout: number) {
    this.#database = database
    this.#busyTimeout = busyTimeout
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
    this.#rollback = database.prepare('ROLLBACK')
    this.#savepoint = database.prepare('SAVEPOINT one')
    this.#release = database.prepare('RELEASE one')
    this.#rollbackTo = database.prepare('ROLLBACK TO one')
  }

  /**
   * Does `work` in the transaction of the next group. Writes happen in the order in which they were asked for.
   * @param committed called right after the COMMIT, before any other code runs
   * @returns what `work` returned. Rejects with what `work` threw, then nothing of it happened, or with the error of the group
   */
  write<T>(work: () => T, committed: (result: T) => void = () => undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const doIt = () => {
      const result = work()
      return () => {
        try {
          committed(result)
          resolve(result)
        } catch (error) {
          reject(error)
        }
      }
    }
    this.#waiting.push({ askedAt: performance.now(), work: doIt, reject })
    this.#schedule()
    return promise
  }

  /** Does `work` at once, in a transaction of its own; blocks while another process holds the lock. For what no request waits for. */
  writeNow<T>(work: () => T): T {
    this.#begin.run()
    try {
      const result = work()
      this.#commit.run()
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#rollback.run()
      throw error
    }
  }

  /** Commits what waits; blocks while another process holds the lock. To be called before the database is closed. */
  end(): void {
    try {
      while (this.#waiting.length > 0) {
        this.#begin.run()
        this.#commitGroup()
      }
    } catch (error) {
      this.#rejectFirst(this.#waiting.length, error)
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#commitNext())
  }

  #commitNext(): void {
    this.#isScheduled = false
    if (this.#waiting.length === 0) return
    try {
      this.#beginUnlessBusy()
    } catch (error) {
      this.#tryAgain(error)
      return
    }
    this.#commitGroup()
    if (this.#waiting.length > 0) this.#schedule()
  }

  /** @throws an error that `isBusy` knows, while another process holds the lock */
  #beginUnlessBusy(): void {
    this.#database.exec('PRAGMA busy_timeout = 0')
    try {
      this.#begin.run()
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#busyTimeout}`)
    }
  }

  /** Rejects writes that have waited too long for the lock, or all when it is another error. The others wait on. */
  #tryAgain(error: unknown): void {
    const latest = isBusy(error) ? performance.now() - this.#busyTimeout : Number.POSITIVE_INFINITY
    const stays = this.#waiting.findIndex(({ askedAt }) => askedAt > latest)
    this.#rejectFirst(stays === -1 ? this.#waiting.length : stays, error)
    if (this.#waiting.length === 0) return
    this.#isScheduled = true
    setTimeout(() => this.#commitNext(), PAUSE)
  }

  #rejectFirst(count: number, error: unknown): void {
    for (const { reject } of this.#waiting.splice(0, count)) reject(error)
  }

  /** Does writes that wait, as long as a group may take, commits them and answers them. The transaction has begun. */
  #commitGroup(): void {
    const until = performance.now() + LONGEST_GROUP
    const group: Write[] = []
    const answers: (() => void)[] = []
    try {
      do {
        const write = this.#waiting[group.length]!
        group.push(write)
        answers.push(this.#attempt(write))
      } while (group.length < this.#waiting.length && performance.now() < until)
      this.#commit.run()
    } catch (error) {
      if (this.#database.isTransaction) this.#rollback.run()
      this.#rejectFirst(group.length, error)
      return
    }
    this.#waiting.splice(0, group.length)
    for (const answer of answers) answer()
  }

  /** Does one write of a group. @returns how to answer it. @throws what ended the transaction, as a full disk does */
  #attempt({ work, reject }: Write): () => void {
    this.#savepoint.run()
    try {
      const answer = work()
      this.#release.run()
      return answer
    } catch (error) {
      if (!this.#database.isTransaction) throw error
      this.#rollbackTo.run()
      this.#release.run()
      return () => reject(error)
    }
  }
}
