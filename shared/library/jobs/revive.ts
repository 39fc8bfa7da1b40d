import type { Key, Query } from '../../backends/table/port.ts'
import { held } from '../concurrency/conditional.ts'
import type { Due } from '../due.ts'
import { everyItem } from '../pages.ts'
import { jobsIn } from './in-state.ts'
import { type Claimed, isOfKind, type JobRecord, type Jobs } from './job.ts'
import { heldBy, isLeased, LEASE } from './lease.ts'
import { failAttempt, RunCutOff } from './run.ts'
import { FAILED, LATER, RUNNING, timeIn, waitingSince } from './states.ts'

/**
 * Makes due jobs wait for a run: scheduled ones, failed ones after their pause, and those whose runs died. Idempotent; safe to run
 * concurrently.
 * @param kind only jobs of this kind; all by default
 * @returns when the next job, maybe of another kind, is due, in UNIX milliseconds; undefined if there is none
 * @throws AggregateError after all other jobs are processed
 */
export async function reviveJobs(jobs: Jobs, kind?: string): Promise<number | undefined> {
  const failures: unknown[] = []
  const each = (part: Part, act: (job: JobRecord) => Promise<void>) =>
    eachDue(jobs, part, kind, (job) => act(job).catch((error) => void failures.push(error))).catch((error) => void failures.push(error))
  const times = [
    await each({ pk: RUNNING }, async (job) => {
      if (hasOwner(job) && !isLeased(job, jobs.clock.now())) await failAttempt(jobs, job, new RunCutOff('It ended without a word.'))
    }),
    await each({ pk: LATER }, (job) => letWait(jobs, job)),
    await each({ pk: FAILED, ...(kind !== undefined && { sk: { beginsWith: `${kind}#` } }) }, (job) => letWait(jobs, job)),
  ]
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} looks at due jobs failed`, { cause: failures[0] })
  const next = Math.min(...times.filter((time) => time !== undefined))
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

/** Releases all running jobs of a kind. Called when a server starts: nobody else works on its data folder, so all runs are dead. */
export async function releaseJobs(jobs: Jobs, kind: string): Promise<void> {
  for await (const job of jobsIn(jobs, 'running', [kind])) {
    if (hasOwner(job)) await failAttempt(jobs, job, new RunCutOff('The server ended meanwhile.'), 0)
  }
  // Jobs that were requested again while a run had them. Those for later are left alone: there may be very many, and a lease ends before they are due.
  for await (const job of jobsIn(jobs, 'waiting', [kind])) {
    const { pk, sk } = job
    if (hasOwner(job)) await held(jobs.table.update({ pk, sk }, { remove: LEASE }, heldBy(job)))
  }
}

const hasOwner = (job: JobRecord): job is Claimed => job.owner !== undefined

async function letWait({ table, clock }: Jobs, job: JobRecord): Promise<void> {
  const { pk, sk, dueKey, dueAt } = job
  await held(table.update({ pk, sk }, { set: waitingSince(job, clock.now()) }, { dueKey: { equals: dueKey }, dueAt: { equals: dueAt } }))
}

/** A range of the index. */
type Part = Pick<Query, 'pk' | 'sk'>

/** Acts on the due jobs in a range of the index. @param kind only jobs of this kind; all by default @returns the time of the next job */
async function eachDue(
  { table, clock }: Jobs,
  part: Part,
  kind: string | undefined,
  act: (job: JobRecord) => Promise<void>,
): Promise<number | undefined> {
  const now = clock.now()
  let next: number | undefined
  for await (const { pk, sk, ...entry } of everyItem<Key & Due>(table, { index: 'trashDue', ...part })) {
    const time = timeIn(entry)
    if (time > now) {
      next = Math.min(next ?? time, time)
      // Failed jobs of all kinds are ordered by kind, all others by time.
      if (part.pk === FAILED && kind === undefined) continue
      break
    }
    if (!isOfKind({ pk }, kind)) continue
    const job = await table.get<JobRecord>({ pk, sk })
    // The index lags, so the record decides.
    if (job?.dueKey === entry.dueKey && timeIn(job) <= now) await act(job)
  }
  return next
}
