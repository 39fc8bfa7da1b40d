import { type Clock, systemClock } from '../backends/clock/port.ts'
import type { Table } from '../backends/table/port.ts'
import type { Waker } from '../backends/waker/port.ts'
import { lambdaProcess } from '../lambda-process.ts'
import { renewing } from '../library/concurrency/renewal.ts'
import { claimNext } from '../library/jobs/claim.ts'
import { LEASE_MS, performJob } from '../library/jobs/perform.ts'
import { giveSlotBack, isAnyWaiting, renewSlot, takeSlot } from '../library/jobs/slots.ts'
import { type Backend, grantedOf } from '../resources.ts'
import type { CompanyId } from '../vocabulary/ids.ts'
import { type Job, jobActor, type NamedFunction } from './consumer.ts'

/** The resources of a run besides those that the job declares. */
export interface RunningJobs {
  table: Table
  waker: Pick<Waker, 'wake'>
  /** Most runs of the kind at a time: as many as it declares, or fewer where the account allows few. */
  runs: number
  /** The machine's if nothing else is said. */
  clock?: Clock
}

/** The event that wakes a run. It may tell whose turn was the last. */
export interface WakeUp {
  after?: CompanyId
}

/**
 * The Lambda handler of a kind of job: a run does one job, and wakes the next run where more wait. It fails for no job: the job's record says
 * what comes of that. infra/bundling/entries.ts generates the call.
 */
export function jobHandler(
  declared: Job & Pick<NamedFunction, 'name'>,
  backend: Partial<Backend>,
  { table, waker, runs, clock = systemClock }: RunningJobs,
): (event: WakeUp) => Promise<void> {
  const { log: processLog, settings } = lambdaProcess()
  const log = processLog.with({ function: declared.name })
  const granted = grantedOf(declared.uses, backend)
  const { job: kind } = declared.trigger
  const jobs = { table, clock, log }

  return async ({ after }) => {
    const slot = await takeSlot(jobs, kind, runs, LEASE_MS)
    // Those who have the slots wake others when they end.
    if (!slot) return
    let last = after
    try {
      await using _slot = renewing(jobs.clock, LEASE_MS, () => renewSlot(jobs, slot, LEASE_MS))
      const job = await claimNext(jobs, kind, after, LEASE_MS)
      if (job) {
        last = job.companyId
        const by = jobActor(declared, job)
        await performJob(jobs, job, () => declared.handle({ job, by, settings, clock, log, ...granted }))
      }
    } finally {
      await giveSlotBack(jobs, slot)
    }
    // After the slot is free: a job that came meanwhile may have found none.
    if (await isAnyWaiting(jobs, kind)) await waker.wake(kind, last)
  }
}
