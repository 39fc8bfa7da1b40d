import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isBusy } from './sqlite-busy.ts'

/** Work after which a group is committed, in milliseconds, so that other requests get their turn. */
const LONGEST_GROUP = 5
/** Pause between attempts to get the lock that another process holds, in milliseconds. */
const PAUSE = 1

/** A write that waits for its group. */
interface Write {
  /** Milliseconds of `performance.now()`. */
  askedAt: number
  /** Runs it in the transaction of its group. @returns resolves its promise after the COMMIT @throws the write's own errors */
  work(): () => void
  reject(error: unknown): void
}

/**
 * Group commit for one SQLite database: writes requested in one turn of the event loop share a transaction, and so one disk sync. Each has
 * its own savepoint, so a failing write only rolls back its own changes. All promises settle after the COMMIT, those of failed writes too,
 * because their failure may depend on a change of the same group.
 *
 * A group runs synchronously from BEGIN to COMMIT, so that reads over the same connection never see uncommitted data. While another process
 * holds the lock, the event loop goes on and the group grows.
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

  /** @param busyTimeout how long a write waits for other processes' locks, in milliseconds; must be the database's own timeout, too */
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
   * Runs `work` in the transaction of the next group. Writes run in the order of calls.
   * @param committed called right after the COMMIT, before any other code runs
   * @returns the result of `work`. Rejects with the error of `work`, whose changes are then rolled back, or of the group
   */
  write<T>(work: () => T, committed: (result: T) => void = () => undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const workInGroup = () => {
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
    this.#waiting.push({ askedAt: performance.now(), work: workInGroup, reject })
    this.#schedule()
    return promise
  }

  /** Runs `work` at once in its own transaction. Blocks while another process holds the lock, so it is not for requests. */
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

  /** Commits waiting writes. Blocks while another process holds the lock. Call it before the database is closed. */
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

  /** @throws an error for which `isBusy` is true, while another process holds the lock */
  #beginUnlessBusy(): void {
    this.#database.exec('PRAGMA busy_timeout = 0')
    try {
      this.#begin.run()
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#busyTimeout}`)
    }
  }

  /** Rejects writes that have waited too long for the lock, or all writes after another error. The rest keeps waiting. */
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

  /** Runs waiting writes for up to `LONGEST_GROUP`, commits them and settles their promises. The transaction has begun. */
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

  /**
   * Runs one write of a group.
   * @returns settles its promise after the COMMIT
   * @throws errors that ended the transaction, such as a full disk
   */
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
