import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { EmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import type { Change } from '../../../shared/backends/table/port.ts'
import { backoff } from '../../../shared/backoff.ts'
import type { Log } from '../../../shared/log/log.ts'
import { type BackgroundLoop, consumeChange, consumeTogether, type Follower, type RunJob, takesMany } from './run-job.ts'

/** Changes that are read at a time. */
const BATCH = 100
/**
 * When a position is saved: so many milliseconds after the first change that it covers, or after so many changes. Each save is a write to
 * disk that all requests wait for. Changes that were handled since the last save come again when the process dies.
 */
const SAVE_AFTER = 200
const UNSAVED = 1_000
/** Pause after a position could not be saved, in milliseconds. */
const SAVE_AGAIN_AFTER = 1_000
/** Attempts with one change: 5 minutes in all. */
const ATTEMPTS = 11
const PAUSES = { first: 1_000, longest: 60_000 }

/** Gives a consumer the events that it wants, in order. */
export interface ChangeFollower extends BackgroundLoop {
  /** Tells it that there may be new changes. */
  wake(): void
}

export interface FollowerOptions {
  run: RunJob
  clock: Clock
  log: Log
  /** Takes a change that failed too often. */
  deadLetter(consumer: string, change: Change, error: unknown): Promise<void>
}

/**
 * Follows the table's change log for a consumer. The position is saved some time after changes were handled, so every change comes at least
 * once, also when the process dies in between. A change that keeps failing becomes a dead letter, and the others go on.
 */
export function followChanges(
  consumer: Follower,
  table: Pick<EmbeddedTable, 'readChanges' | 'position' | 'savePosition'>,
  { run, clock, log, deadLetter }: FollowerOptions,
): ChangeFollower {
  const { name } = consumer
  const stopped = new AbortController()
  let position = table.position(name)
  let unsaved = 0
  let saving: NodeJS.Timeout | undefined
  let isWanted = false
  let following: Promise<void> | undefined

  async function save(): Promise<void> {
    clearTimeout(saving)
    saving = undefined
    if (unsaved === 0 || position === undefined) return
    const covered = unsaved
    unsaved = 0
    try {
      await table.savePosition(name, position)
    } catch (error) {
      // A full disk, for example. Unsaved changes come again after a crash, which does no harm.
      log.error('position could not be saved', { function: name, error })
      unsaved += covered
      if (!stopped.signal.aborted) saving ??= setTimeout(save, SAVE_AGAIN_AFTER)
    }
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      const batch = await table.readChanges(position, BATCH)
      if (batch.changes.length === 0) return
      let { done, wasWanted } = await handleTogether(batch.changes)
      for (const change of batch.changes.slice(done)) wasWanted = (await handle(change)) || wasWanted
      position = batch.position
      unsaved += batch.changes.length
      if (unsaved >= UNSAVED) await save()
      else if (wasWanted) saving ??= setTimeout(save, SAVE_AFTER)
    }
  }

  /** @returns how many changes are done; the next ones are to be handled one by one */
  async function handleTogether(changes: readonly Change[]): Promise<{ done: number; wasWanted: boolean }> {
    stopped.signal.throwIfAborted()
    if (!takesMany(consumer)) return { done: 0, wasWanted: false }
    try {
      const { isWanted, failed = changes.length } = await consumeTogether(run, consumer, changes)
      return { done: failed, wasWanted: isWanted }
    } catch (error) {
      log.error('changes failed', { function: name, changes: changes.length, error })
      return { done: 0, wasWanted: false }
    }
  }

  /** @returns whether the consumer wants anything of the change */
  async function handle(change: Change): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      stopped.signal.throwIfAborted()
      try {
        return await consumeChange(run, consumer, change)
      } catch (error) {
        log.error('change failed', { function: name, change: change.id, key: change.key, attempt, error })
        if (attempt === ATTEMPTS) {
          await deadLetter(name, change, error)
          return true
        }
        await clock.sleep(backoff(attempt, PAUSES), { signal: stopped.signal })
      }
    }
  }

  async function follow(): Promise<void> {
    while (isWanted && !stopped.signal.aborted) {
      isWanted = false
      try {
        await catchUp()
      } catch (error) {
        if (stopped.signal.aborted) return
        log.error('changes could not be read', { function: name, error })
        isWanted = true
        await clock.sleep(1000, { signal: stopped.signal }).catch(() => undefined)
      }
    }
  }

  function wake(): void {
    isWanted = true
    following ??= follow().finally(() => {
      following = undefined
      // A change may have come since the last read.
      if (isWanted && !stopped.signal.aborted) wake()
    })
  }

  return {
    wake,
    async stop() {
      stopped.abort()
      await following
      await save()
    },
  }
}
