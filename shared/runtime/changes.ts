import type { Change } from '../backends/table/port.ts'
import { backoff } from '../backoff.ts'
import { type DeliveredEvent, eventsIn, type Failed } from '../library/events/failed-event.ts'
import type { Jobs } from '../library/jobs/job.ts'
import type { Log } from '../log/log.ts'
import { type CompanyId, toCompanyId } from '../vocabulary/ids.ts'
import { actorOf, type BatchInput, type NamedBatches } from './consumer.ts'

/** Tries of a consumer before an event becomes a job. Nothing behind it goes on meanwhile, so a short outage changes the order of no feed. */
const TRIES = 5
/** 7.5 s in all, because a run of a consumer has a minute. */
const PAUSES = { first: 500, longest: 4_000 }

/** For the job of a change of which not even the company can be read. */
const NO_COMPANY = toCompanyId(0)

/**
 * Has a consumer handle the events that it wants of some changes. Each event on which it keeps failing becomes a job, so that those behind it go on: the
 * jobs' runtime tries it again. The consumer may get the same changes again.
 * @returns whether it wants any of them
 * @throws where such a job can't be asked for: then all of these changes are to come again
 */
export async function handleChanges(
  consumer: Pick<NamedBatches, 'name' | 'trigger' | 'repeatedBy'>,
  changes: readonly Change[],
  handle: (input: BatchInput) => Promise<readonly { id: string }[]>,
  jobs: Jobs & { log: Log },
): Promise<boolean> {
  const log = jobs.log.with({ function: consumer.name })
  const by = actorOf(consumer, changes[0]?.id ?? '')
  const repeat = async (companyId: CompanyId, subject: string, input: Failed) =>
    jobs.table.transact({ job: consumer.repeatedBy.ask({ ...jobs, by }, { companyId, subject, input }) })

  /** @returns events on which the consumer keeps failing */
  const tryAll = async (events: readonly DeliveredEvent[]): Promise<readonly DeliveredEvent[]> => {
    let left = events
    for (let tries = 1; ; tries++) {
      const failed = await handle({ events: left, by }).catch((error: unknown) => {
        log.error('events failed', { events: left.length, error })
        return left
      })
      const ids = new Set(failed.map(({ id }) => id))
      // That a job waits is nothing to repeat: wake-jobs finds it.
      left = left.filter(({ id, name }) => ids.has(id) && name !== 'job.waits')
      if (left.length === 0 || tries === TRIES) return left
      await jobs.clock.sleep(backoff(tries, PAUSES))
    }
  }

  const events: DeliveredEvent[] = []
  for (const change of changes) {
    try {
      events.push(...eventsIn(change, consumer.trigger.batchesOf))
    } catch (error) {
      log.error('change could not be read', { change: change.id, key: change.key, error })
      await repeat(NO_COMPANY, change.id, { change })
    }
  }
  if (events.length === 0) return false
  for (const event of await tryAll(events)) {
    log.error('event failed', { event: event.name, id: event.id })
    await repeat(event.companyId, event.id, { event })
  }
  return true
}
