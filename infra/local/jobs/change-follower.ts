import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { EmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import type { Log } from '../../../shared/log/log.ts'
import { handleChanges } from '../../../shared/runtime/changes.ts'
import type { BatchInput, NamedBatches, NamedFunction } from '../../../shared/runtime/consumer.ts'
import type { BackgroundLoop, RunJob } from './run-job.ts'

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
/** Pause after changes could neither be handled nor written down as jobs, in milliseconds: a full disk, for example. */
const AGAIN_AFTER = 1_000

/** Gives a consumer the events that it wants, in order. */
export interface ChangeFollower extends BackgroundLoop {
  /** Tells it that there may be new changes. */
  wake(): void
}

/**
 * Follows the table's change log for a consumer. The position is saved some time after changes were handled, so every change comes at least
 * once, also when the process dies in between. A change that keeps failing becomes a job, and the others go on.
 */
export function followChanges(
  consumer: NamedFunction & NamedBatches,
  table: Pick<EmbeddedTable, 'readChanges' | 'position' | 'savePosition' | 'transact'>,
  { run, clock, log }: { run: RunJob; clock: Clock; log: Log },
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

  /** A stop ends what it waits for: the changes come again at the next start. */
  const waiting: Clock = { now: () => clock.now(), sleep: (milliseconds) => clock.sleep(milliseconds, { signal: stopped.signal }) }
  const handle = async (input: BatchInput) => (await run(consumer, input)) as { id: string }[]

  async function catchUp(): Promise<void> {
    for (;;) {
      const batch = await table.readChanges(position, BATCH)
      if (batch.changes.length === 0) return
      const wasWanted = await handleChanges(consumer, batch.changes, handle, { table: table as EmbeddedTable, clock: waiting, log })
      position = batch.position
      unsaved += batch.changes.length
      if (unsaved >= UNSAVED) await save()
      else if (wasWanted) saving ??= setTimeout(save, SAVE_AFTER)
    }
  }

  async function follow(): Promise<void> {
    while (isWanted && !stopped.signal.aborted) {
      isWanted = false
      try {
        await catchUp()
      } catch (error) {
        if (stopped.signal.aborted) return
        log.error('changes could not be followed', { function: name, error })
        isWanted = true
        await waiting.sleep(AGAIN_AFTER).catch(() => undefined)
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
