import type { Context } from 'aws-lambda'
import type { Table } from '../backends/table/port.ts'
import type { Waker } from '../backends/waker/port.ts'
import { lambdaProcess } from '../lambda-process.ts'
import { claimNext } from '../library/jobs/claim.ts'
import { jobIdIn } from '../library/jobs/job.ts'
import { LEASE_MS, performJob } from '../library/jobs/perform.ts'
import { giveSlotBack, isAnyWaiting, takeSlot } from '../library/jobs/slots.ts'
import { type Backend, grantedOf } from '../resources.ts'
import type { CompanyId } from '../vocabulary/ids.ts'
import { actorOf, type Job, type NamedFunction } from './consumer.ts'

/** What a run of jobs works with besides what the job declares. */
export interface RunningJobs {
  table: Table
  waker: Pick<Waker, 'wake'>
}

/** What wakes a run: perhaps whose turn was the last. */
export interface WakeUp {
  after?: CompanyId
}

/** Milliseconds that are left to a run after the time of its job, to note how that ended. */
export const TIME_TO_END = 10_000

/**
 * The Lambda handler of a kind of job. It takes what waits, company by company, as long as its time allows, and wakes the next run where it leaves
 * something. It fails for no job: the job's record says what comes of that. infra/bundling/entries.ts generates the call.
 */
export function jobHandler(
  declared: Job & Pick<NamedFunction, 'name'>,
  backend: Partial<Backend>,
  { table, waker }: RunningJobs,
): (event: WakeUp, invocation: Pick<Context, 'getRemainingTimeInMillis'>) => Promise<void> {
  const { log: processLog, ...rest } = lambdaProcess()
  const log = processLog.with({ function: declared.name })
  const granted = grantedOf(declared.uses, backend)
  const { job: kind, runs } = declared.trigger
  const jobs = { table, clock: rest.clock, log }
  const jobMs = declared.timeoutSeconds * 1_000

  return async ({ after }, invocation) => {
    const slot = await takeSlot(jobs, kind, runs, invocation.getRemainingTimeInMillis())
    // Who has the slots goes on until nothing waits.
    if (!slot) return
    let last = after
    try {
      do {
        const job = await claimNext(jobs, kind, last, LEASE_MS)
        if (!job) break
        last = job.companyId
        const by = actorOf(declared, jobIdIn(job))
        await performJob(jobs, job, () => declared.handle({ job, by, ...rest, log, ...granted }))
      } while (invocation.getRemainingTimeInMillis() > jobMs + TIME_TO_END)
    } finally {
      await giveSlotBack(jobs, slot)
    }
    // After the slot is free: a job that came meanwhile may have found none.
    if (await isAnyWaiting(jobs, kind)) await waker.wake(kind, last)
  }
}
