import type { Operation, Value } from '../../backends/table/port.ts'
import { held } from '../concurrency/conditional.ts'
import { type Claimed, type JobRecord, type Jobs, jobIdIn, PROGRESS } from './job.ts'
import { heldBy, LEASE, LeaseLost } from './lease.ts'
import { ATTEMPTS, isFailed, pauseAfter } from './retries.ts'
import { failedUntil, placeAfter } from './states.ts'

/** A job is not done yet: it runs again. */
export interface Again {
  /** Seconds until then; none by default. */
  inSeconds?: number
  /** The cursor of the next run; by default the one that was noted last. */
  cursor?: Value
}

/** How far a job is. What is left out stays. */
export interface Progress {
  cursor?: Value
  done?: number
  total?: number
}

/** A job as its run sees it. */
export interface JobInHand {
  jobId: string
  /** Whether the job counts as failed if this run fails. It is tried again every hour then. */
  isLastAttempt: boolean
  /** Runs just before this one that were cut off. */
  cutOff: number
  /** Greater than that of each earlier run of the job. */
  token: number
  /** The cursor of the last run. */
  cursor: Value | undefined
  done: number
  total: number | undefined
  /**
   * The write that notes how far the job is. As a step of the transaction that does a slice of it, it lets that happen once, whatever becomes of the
   * run: its condition fails where the run has the job no more.
   */
  noting(progress: Progress): Operation
}

/** A run was cut off: it could tell nobody what becomes of its job. */
export class RunCutOff extends Error {
  override name = 'RunCutOff'
}

/** Makes a job's view for its run. */
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

/** Notes how far a job is, by itself. @throws LeaseLost where the run has it no more */
export async function note({ table }: Pick<Jobs, 'table'>, job: Pick<JobInHand, 'noting'>, progress: Progress): Promise<void> {
  if (!(await held(table.transact({ noting: job.noting(progress) })))) throw new LeaseLost('another run has the job')
}

/** The condition that the run still has the job, and nobody has asked for it again. */
const sameAsk = ({ owner, asked }: Pick<Claimed, 'owner' | 'asked'>) => ({ ...heldBy({ owner }), asked: { equals: asked } })

/** Ends a run that did its work. The job is done, unless it is to run again. @throws LeaseLost where another run has it, or it was cancelled */
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

/** The job was asked for while it ran: it begins anew, with what was asked for, and when. @returns whether that is so */
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
 * Ends a run that failed: the job is tried again after a pause. Where another run has it nothing happens.
 * @param pause in milliseconds, unless it failed too often
 */
export async function failAttempt(jobs: Jobs, job: Claimed, error: unknown, pause?: number): Promise<void> {
  const { table, clock } = jobs
  const { pk, sk } = job
  // Progress has begun the count anew.
  const { attempts, cutOff = 0, notBefore = 0 } = (await table.get<JobRecord>({ pk, sk })) ?? job
  const now = clock.now()
  // The next run, at once, tells those who wait that the job failed: a run that was cut off couldn't.
  const isUntold = attempts === ATTEMPTS && error instanceof RunCutOff
  const due = isFailed(attempts)
    ? failedUntil(job, isUntold ? now : now + pauseAfter(attempts))
    : placeAfter(job, Math.max(now + (pause ?? pauseAfter(attempts)), notBefore), now)
  const set = { ...due, lastError: textOf(error), cutOff: error instanceof RunCutOff ? cutOff + 1 : 0 }
  const changes = { set, remove: LEASE }
  if (!(await held(table.update({ pk, sk }, changes, sameAsk(job))))) await startOver(jobs, job)
}

/** Characters of an error that are kept. */
const LONGEST_ERROR = 500

function textOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, LONGEST_ERROR)
}
