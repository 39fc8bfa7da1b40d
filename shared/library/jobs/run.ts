import type { Operation, Value } from '../../backends/table/port.ts'
import { held } from '../concurrency/conditional.ts'
import { type Claimed, type JobRecord, type Jobs, jobIdIn, PROGRESS } from './job.ts'
import { heldBy, LEASE, LeaseLost } from './lease.ts'
import { ATTEMPTS, isFailed, pauseAfter } from './retries.ts'
import { failedUntil, placeAfter } from './states.ts'

/** A job that is not done yet runs again. */
export interface Again {
  /** Seconds until the next run; none by default. */
  inSeconds?: number
  /** The cursor of the next run; by default the last one stored. */
  cursor?: Value
}

/** Progress of a job. Absent fields stay as they are. */
export interface Progress {
  cursor?: Value
  done?: number
  total?: number
}

/** A job from the perspective of its run. */
export interface JobInHand {
  jobId: string
  /** Whether the job counts as failed if this run fails. It is then retried every hour. */
  isLastAttempt: boolean
  /** Number of runs directly before this one that were cut off. */
  cutOff: number
  /** Fencing token: greater than those of all earlier runs of the job. */
  token: number
  /** The cursor of the last run. */
  cursor: Value | undefined
  done: number
  total: number | undefined
  /**
   * The operation that stores progress. In the transaction that does a part of the work, it makes that part happen exactly once: its
   * condition fails if the run has lost the job.
   */
  noting(progress: Progress): Operation
}

/** A run was cut off before it could store an outcome. */
export class RunCutOff extends Error {
  override name = 'RunCutOff'
}

/** Gives a run its view of the job. */
export function jobInHand(job: Claimed): JobInHand {
  const { pk, sk, attempts, cutOff = 0, token, cursor, done = 0, total } = job
  return {
    ...{ jobId: jobIdIn(job), isLastAttempt: attempts >= ATTEMPTS, cutOff, token, cursor, done, total },
    noting: ({ cursor, done, total }) => ({
      update: { pk, sk },
      changes: { set: { cursor, done, total, attempts: 1 } },
      if: sameAsk(job),
    }),
  }
}

/** Stores progress in a separate write. @throws LeaseLost if the run has lost the job */
export async function note({ table }: Pick<Jobs, 'table'>, job: Pick<JobInHand, 'noting'>, progress: Progress): Promise<void> {
  if (!(await held(table.transact({ noting: job.noting(progress) })))) throw new LeaseLost('another run has the job')
}

/** The condition that the run still has the job, and that it was not requested again. */
const sameAsk = ({ owner, asked }: Pick<Claimed, 'owner' | 'asked'>) => ({ ...heldBy({ owner }), asked: { equals: asked } })

/** Ends a successful run: deletes the job, or schedules the next run. @throws LeaseLost if another run has the job, or it was cancelled */
export async function endRun(jobs: Jobs, job: Claimed, again: Again | undefined): Promise<void> {
  const { table, clock } = jobs
  const { pk, sk } = job
  if (!again) {
    if (await held(table.delete({ pk, sk }, sameAsk(job)))) return
  } else {
    const { inSeconds = 0, cursor } = again
    const now = clock.now()
    const due = placeAfter(job, now + inSeconds * 1_000, now)
    const changes = { set: { ...due, attempts: 0, cursor }, remove: [...LEASE, 'lastError', 'cutOff'] }
    if (await held(table.update({ pk, sk }, changes, sameAsk(job)))) return
  }
  if (!(await startOver(jobs, job))) throw new LeaseLost('another run has the job')
}

/** Restarts a job that was requested again while it ran, with the new input and time. @returns whether it was */
async function startOver({ table, clock }: Jobs, { pk, sk, owner, asked }: Claimed): Promise<boolean> {
  for (;;) {
    const job = await table.get<JobRecord>({ pk, sk })
    if (job?.owner !== owner || job.asked === asked) return false
    const now = clock.now()
    const changes = { set: { ...placeAfter(job, job.notBefore ?? now, now), attempts: 0 }, remove: [...LEASE, ...PROGRESS] }
    if (await held(table.update({ pk, sk }, changes, sameAsk({ ...job, owner })))) return true
  }
}

/**
 * Ends a failed run: the job is retried after a pause. Does nothing if another run has it.
 * @param pause in milliseconds; ignored once the job counts as failed
 */
export async function failAttempt(jobs: Jobs, job: Claimed, error: unknown, pause?: number): Promise<void> {
  const { table, clock } = jobs
  const { pk, sk } = job
  // Read again, because progress resets the number of attempts.
  const { attempts, cutOff = 0, notBefore = 0 } = (await table.get<JobRecord>({ pk, sk })) ?? job
  const now = clock.now()
  // A run that was cut off at the last attempt couldn't report the failure. So the next run starts at once and does.
  const isUnreported = attempts === ATTEMPTS && error instanceof RunCutOff
  const due = isFailed(attempts)
    ? failedUntil(job, isUnreported ? now : now + pauseAfter(attempts))
    : placeAfter(job, Math.max(now + (pause ?? pauseAfter(attempts)), notBefore), now)
  const set = { ...due, lastError: textOf(error), cutOff: error instanceof RunCutOff ? cutOff + 1 : 0 }
  const changes = { set, remove: LEASE }
  if (!(await held(table.update({ pk, sk }, changes, sameAsk(job))))) await startOver(jobs, job)
}

/** Longest stored error, in characters. */
const LONGEST_ERROR = 500

function textOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, LONGEST_ERROR)
}
