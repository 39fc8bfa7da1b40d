import type { Log } from '../../log/log.ts'
import { traced } from '../../log/trace.ts'
import { renewing } from '../concurrency/renewal.ts'
import { renewLease } from './claim.ts'
import { type Claimed, type Jobs, jobIdIn } from './job.ts'
import { type Again, endRun, failAttempt } from './run.ts'

/**
 * Duration of a lease in milliseconds, after which another run takes over from a dead one. A run that was only slow goes on, but its writes
 * fail.
 */
export const LEASE_MS = 120_000

/**
 * Runs a claimed job within the trace of its request, renews its lease, and stores the outcome: done, to run again, or failed.
 * @param isStopping whether the process is stopping: a job that fails then is retried without a pause
 */
export function performJob(
  jobs: Jobs & { log: Log },
  job: Claimed,
  work: () => Promise<Again | undefined>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  return traced(job.trace, async () => {
    await using _lease = renewing(jobs.clock, LEASE_MS, () => renewLease(jobs, job, LEASE_MS))
    const attempt = { job: jobIdIn(job), companyId: job.companyId, attempts: job.attempts }
    const began = performance.now()
    try {
      await endRun(jobs, job, await work())
      jobs.log.info('job', { ...attempt, ms: Math.round(performance.now() - began) })
    } catch (error) {
      jobs.log.error('job failed', { ...attempt, error })
      await failAttempt(jobs, job, error, isStopping() ? 0 : undefined)
    }
  })
}
