import type { Log } from '../../log/log.ts'
import { traced } from '../../log/trace.ts'
import { renewing } from '../concurrency/renewal.ts'
import { renewLease } from './claim.ts'
import { type Claimed, type Jobs, jobIdIn } from './job.ts'
import { type Again, endRun, failAttempt } from './run.ts'

/**
 * Milliseconds that a run has a job without renewing its lease: after this long another run takes over from one that died. A run that is only slow goes
 * on, and what it notes and ends no longer counts.
 */
export const LEASE_MS = 120_000

/**
 * Runs a claimed job in the name of the request that it follows from, renewing its lease, and notes how it ended: done, to run again, or failed.
 * @param isStopping whether the process ends: what failed then waits at once
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
