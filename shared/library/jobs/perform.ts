import type { Log } from '../../log/log.ts'
import { renewing } from '../renewal.ts'
import { renewLease } from './claim.ts'
import { type Claimed, type Jobs, jobIdIn } from './job.ts'
import { type Again, endRun, failAttempt } from './run.ts'

/**
 * Milliseconds that a run has a job without renewing its lease: after this long another run takes over from one that died. A run that is only slow goes
 * on, and what it notes and ends no longer counts.
 */
export const LEASE_MS = 120_000

/**
 * Runs a claimed job, renewing its lease, and notes how it ended: done, to run again, or failed.
 * @param isStopping whether the process ends: what failed then waits at once
 */
export async function performJob(
  jobs: Jobs & { log: Log },
  job: Claimed,
  work: () => Promise<Again | undefined>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  await using _lease = renewing(LEASE_MS, () => renewLease(jobs, job, LEASE_MS))
  try {
    await endRun(jobs, job, await work())
  } catch (error) {
    jobs.log.error('job failed', { job: jobIdIn(job), companyId: job.companyId, attempts: job.attempts, error })
    await failAttempt(jobs, job, error, isStopping() ? 0 : undefined)
  }
}
