import type { Key, Query } from '../../backends/table/port.ts'
import { held } from '../concurrency/conditional.ts'
import { type Due, dueTime } from '../due.ts'
import { everyItem } from '../pages.ts'
import { jobsIn } from './in-state.ts'
import type { Claimed, JobRecord, Jobs } from './job.ts'
import { heldBy, isLeased, LEASE } from './lease.ts'
import { failAttempt, RunCutOff } from './run.ts'
import { failedKey, laterKey, runningKey, timeIn, waitingSince } from './states.ts'

/**
 * Lets the jobs of a kind wait that are due: those that were to run later, those that failed and have rested, those whose runs died. Idempotent; any number of
 * calls at a time.
 * @returns when the next of them is due, in UNIX milliseconds; undefined where there is none
 */
export async function reviveJobs(jobs: Jobs, kind: string): Promise<number | undefined> {
  const nextDead = await eachDue(jobs, { pk: runningKey(kind) }, '', async (job) => {
    if (hasOwner(job) && !isLeased(job, jobs.clock.now())) await failAttempt(jobs, job, new RunCutOff('It ended without a word.'))
  })
  const nextLater = await eachDue(jobs, { pk: laterKey(kind) }, '', (job) => letWait(jobs, job))
  const nextFailed = await eachDue(jobs, { pk: failedKey(), sk: { beginsWith: `${kind}#` } }, `${kind}#`, (job) => letWait(jobs, job))
  const next = Math.min(...[nextDead, nextLater, nextFailed].filter((time) => time !== undefined))
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

/**
 * Acts on the jobs of a part of the index whose time has come.
 * @param prefix of the sort keys, before the time
 * @returns the time of the first one after those
 */
async function eachDue(
  { table, clock }: Jobs,
  part: Pick<Query, 'pk' | 'sk'>,
  prefix: string,
  act: (job: JobRecord) => Promise<void>,
): Promise<number | undefined> {
  const until = `${prefix}${dueTime(clock.now())}`
  for await (const { pk, sk, ...entry } of everyItem<Key & Due>(table, { index: 'trashDue', ...part })) {
    if (entry.dueAt > until) return timeIn(entry)
    const job = await table.get<JobRecord>({ pk, sk })
    // The index lags: the record says whether it is so.
    if (job?.dueKey === entry.dueKey && job.dueAt <= until) await act(job)
  }
  return undefined
}
