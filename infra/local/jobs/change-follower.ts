import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import type { Change } from '../../../shared/backends/table/port.ts'
import { type ChangeConsumer, type EventFunction, watches } from '../../../shared/events/consumer.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { Pump } from './queue-poller.ts'
import type { RunJob } from './run-job.ts'

/** Changes read at a time. */
const BATCH = 100
/**
 * Saving a position is a write to disk that all requests wait for. So it happens this long after the first change that it covers, in
 * milliseconds, or when there are so many; what was handled since the last time comes again when the process dies.
 */
const SAVE_AFTER = 200
const UNSAVED = 1_000
/** Pause after a position could not be saved, in milliseconds. */
const SAVE_AGAIN_AFTER = 1_000
/** Tries of one change. The pauses between them double, from a second to a minute: 5 minutes in all. */
const ATTEMPTS = 11
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

/** Gives a consumer the changes that it watches, in order. */
export interface ChangeFollower extends Pump {
  /** There may be new changes. */
  wake(): void
}

export interface FollowerOptions {
  run: RunJob
  log: Log
  /** Takes a change that was tried in vain often enough. */
  park(consumer: string, change: Change, error: unknown): Promise<void>
  /** Milliseconds before the second try. */
  firstPause?: number
}

/**
 * Follows the table's change log for a consumer. Its position is saved some time after changes have been handled, so every change
 * comes at least once, also when the process dies in between. A change that keeps failing is handed to `park` so that it doesn't hold up
 * all others for ever.
 */
export function followChanges(
  consumer: EventFunction & Pick<ChangeConsumer, 'trigger'>,
  table: Pick<EmbeddedTable, 'readChanges' | 'position' | 'savePosition'>,
  { run, log, park, firstPause = FIRST_PAUSE }: FollowerOptions,
): ChangeFollower {
  const { name } = consumer
  const stopped = new AbortController()
  let position = table.position(name)
  let unsaved = 0
  let saving: NodeJS.Timeout | undefined
  let isWanted = false
  let following: Promise<void> | undefined

  function save(): void {
    clearTimeout(saving)
    saving = undefined
    if (unsaved === 0 || position === undefined) return
    try {
      table.savePosition(name, position)
      unsaved = 0
    } catch (error) {
      // A full disk, say. Until it is saved the changes since come again after a crash, which does no harm.
      log.error('position could not be saved', { function: name, error })
      if (!stopped.signal.aborted) saving = setTimeout(save, SAVE_AGAIN_AFTER)
    }
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      const batch = await table.readChanges(position, BATCH)
      if (batch.changes.length === 0) return
      const watched = batch.changes.filter((change) => watches(consumer, change))
      for (const change of watched) await handle(change)
      position = batch.position
      unsaved += batch.changes.length
      if (unsaved >= UNSAVED) save()
      else if (watched.length > 0) saving ??= setTimeout(save, SAVE_AFTER)
    }
  }

  async function handle(change: Change): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      stopped.signal.throwIfAborted()
      try {
        return await run(consumer, { change })
      } catch (error) {
        log.error('change failed', { function: name, change: change.id, key: change.key, attempt, error })
        if (attempt === ATTEMPTS) return await park(name, change, error)
        await sleep(Math.min(LONGEST_PAUSE, firstPause * 2 ** (attempt - 1)), undefined, { signal: stopped.signal })
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
        await sleep(1000, undefined, { signal: stopped.signal }).catch(() => undefined)
      }
    }
  }

  function wake(): void {
    isWanted = true
    following ??= follow().finally(() => {
      following = undefined
      // Something may have come in between the last look and here.
      if (isWanted && !stopped.signal.aborted) wake()
    })
  }

  return {
    wake,
    async stop() {
      stopped.abort()
      await following
      save()
    },
  }
}
