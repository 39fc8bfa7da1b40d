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
 * Lets the jobs wait that are due: those that were to run later, those that failed and have rested, those whose runs died. Idempotent; any number of
 * calls at a time.
 * @param kind of these jobs; those of all kinds by default
 * @returns when the next one, maybe of another kind, is due, in UNIX milliseconds; undefined where there is none
 * @throws AggregateError after all others are done
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

/** The runs of all jobs of a kind are dead: nobody else works on a data folder when its server starts. */
export async function releaseJobs(jobs: Jobs, kind: string): Promise<void> {
  for await (const job of jobsIn(jobs, 'running', kind)) {
    if (hasOwner(job)) await failAttempt(jobs, job, new RunCutOff('The server ended meanwhile.'), 0)
  }
  // Jobs that were asked for while a run had them.
  for (const state of ['waiting', 'later'] as const) {
    for await (const job of jobsIn(jobs, state, kind)) {
      const { pk, sk } = job
      if (hasOwner(job)) await held(jobs.table.update({ pk, sk }, { remove: LEASE }, heldBy(job)))
    }
  }
}

const hasOwner = (job: JobRecord): job is Claimed => job.owner !== undefined

async function letWait({ table, clock }: Jobs, job: JobRecord): Promise<void> {
  const { pk, sk, dueKey, dueAt } = job
  await held(table.update({ pk, sk }, { set: waitingSince(job, clock.now()) }, { dueKey: { equals: dueKey }, dueAt: { equals: dueAt } }))
}

/** A part of the index. */
type Part = Pick<Query, 'pk' | 'sk'>

/**
 * Acts on the jobs of a part of the index whose time has come.
 * @param kind of these jobs; of all kinds by default
 * @returns the time of the first one after those
 */
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
      // Failed jobs of all kinds are in the order of their kinds, all others in that of time.
      if (part.pk === FAILED && kind === undefined) continue
      break
    }
    if (!isOfKind({ pk }, kind)) continue
    const job = await table.get<JobRecord>({ pk, sk })
    // The index lags: the record says whether it is so.
    if (job?.dueKey === entry.dueKey && timeIn(job) <= now) await act(job)
  }
  return next
}
