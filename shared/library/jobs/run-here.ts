import type { Value } from '../../backends/table/port.ts'
import { inTime } from '../../deadline.ts'
import { held } from '../concurrency/conditional.ts'
import { renewing } from '../concurrency/renewal.ts'
import type { Writing } from '../library.ts'
import { renewLease, takeLease } from './claim.ts'
import type { Claimed, JobKind, JobRecord, Wanted } from './job.ts'
import { isLeased, newLease } from './lease.ts'
import { endRun, failAttempt, type JobInHand, jobInHand } from './run.ts'
import { runningUntil } from './states.ts'

/** Duration of the lease in milliseconds. Shorter than that of other runs, because a client waits if this process dies. */
export const LEASE_HERE_MS = 15_000

/**
 * Runs a job in this process, which waits for the result, unless another run has it. If the work fails, is cut off or takes too long, the
 * job waits for an ordinary run.
 * @param timeoutMs longest wait. The work goes on after that
 * @returns undefined if another run has the job, or the time is over
 * @throws what the work throws
 */
export async function runHere<Input extends Value, Result>(
  library: Writing,
  kind: JobKind<Input>,
  wanted: Wanted<Input>,
  work: (job: JobInHand) => Promise<Result>,
  timeoutMs: number,
): Promise<Result | undefined> {
  const job = await claimHere(library, kind, wanted)
  if (!job) return undefined
  return inTime(perform(library, job, work), timeoutMs, async () => {
    await failAttempt(library, job, new Error('It takes longer than a request has.'), 0)
    return undefined
  })
}

/** Requests a new job and claims it in one write, so that no other run is woken. Claims an existing job if no run has it. */
async function claimHere<Input extends Value>(library: Writing, kind: JobKind<Input>, wanted: Wanted<Input>): Promise<Claimed | undefined> {
  const { table, clock } = library
  const { update: key, changes } = kind.ask(library, wanted)
  const lease = newLease({}, clock.now(), LEASE_HERE_MS)
  const claimed = { ...key, ...changes.set, ...lease, ...runningUntil(lease.leaseEnd), asked: 1, attempts: 1 } as Claimed
  if (await held(table.put(claimed, { pk: { exists: false } }))) return claimed
  const job = await table.get<JobRecord>(key)
  return job && !isLeased(job, clock.now()) ? takeLease(library, job, LEASE_HERE_MS) : undefined
}

async function perform<Result>(library: Writing, job: Claimed, work: (job: JobInHand) => Promise<Result>): Promise<Result> {
  await using _lease = renewing(library.clock, LEASE_HERE_MS, () => renewLease(library, job, LEASE_HERE_MS))
  try {
    const result = await work(jobInHand(job))
    // If this fails, a later run finds the work done.
    await endRun(library, job, undefined).catch(() => undefined)
    return result
  } catch (error) {
    await failAttempt(library, job, error).catch(() => undefined)
    throw error
  }
}
