import { DatabaseSync } from 'node:sqlite'
import { GroupCommit } from '../disk/group-commit.ts'
import { enterWalMode } from '../disk/wal-mode.ts'
import { SCHEMA } from './embedded-schema.ts'

/** Longest wait for locks of other processes, in milliseconds. */
const LOCK_TIMEOUT = 10_000

/** The SQLite database of an embedded bucket. Several processes may have it open. */
export class IndexDatabase extends DatabaseSync {
  readonly #writes: GroupCommit

  /** @param file path of the database; created if missing */
  constructor(file: string) {
    super(file, { timeout: LOCK_TIMEOUT })
    enterWalMode(this)
    // FULL: committed data survives power cuts.
    this.exec('PRAGMA synchronous = FULL')
    this.exec(SCHEMA)
    this.#writes = new GroupCommit(this, LOCK_TIMEOUT)
  }

  /**
   * Runs work atomically in the next transaction, which other writes share.
   * @param committed called right after the COMMIT, before any other code runs
   */
  write<T>(work: () => T, committed?: (result: T) => void): Promise<T> {
    return this.#writes.write(work, committed)
  }

  /** Runs work at once in its own transaction. Blocks while another process writes, so it is only for jobs. */
  transaction<T>(work: () => T): T {
    return this.#writes.writeNow(work)
  }

  override close(): void {
    this.#writes.end()
    super.close()
  }
}
