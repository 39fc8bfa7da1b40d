import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../conditional.ts'
import { everyItem } from '../pages.ts'
import { getJob, type JobRecord, type Jobs, jobKey } from './job.ts'
import { isLeased } from './lease.ts'
import { failedKey, type JobState, laterKey, runningKey, stateOf, states, waitingKey, waitingSince } from './states.ts'

/** Which jobs an operator asks for; all of those of the given kinds by default. */
export interface JobFilter {
  state?: JobState | undefined
  companyId?: CompanyId | undefined
}

/** Records that are read at a time. */
const AT_A_TIME = 100

/** The jobs of these kinds that are not done, in the order of their states: failed ones first. */
export async function listJobs(
  library: { table: TableReader },
  kinds: readonly string[],
  { state, companyId }: JobFilter,
): Promise<JobRecord[]> {
  const found: JobRecord[] = []
  for (const each of states.toReversed()) {
    if (state !== undefined && state !== each) continue
    for (const kind of kinds) found.push(...(await jobsIn(library, each, kind)))
  }
  return found.filter((job) => companyId === undefined || job.companyId === companyId)
}

async function jobsIn({ table }: { table: TableReader }, state: JobState, kind: string): Promise<JobRecord[]> {
  const part = {
    waiting: { pk: waitingKey(kind) },
    later: { pk: laterKey(kind) },
    running: { pk: runningKey(kind) },
    failed: { pk: failedKey(), sk: { beginsWith: `${kind}#` } },
  }[state]
  const keys: Key[] = []
  for await (const { pk, sk } of everyItem<Key>(table, { index: 'trashDue', ...part })) keys.push({ pk, sk })
  const jobs: JobRecord[] = []
  for (let at = 0; at < keys.length; at += AT_A_TIME) jobs.push(...(await table.getMany<JobRecord>(keys.slice(at, at + AT_A_TIME))))
  return jobs.filter((job) => stateOf(job) === state)
}

/** Lets a job wait for a run at once, with all its attempts anew. @returns undefined where there is none, or a run has it */
export async function retryJob(library: Jobs, jobId: string): Promise<JobRecord | undefined> {
  const { table, clock } = library
  const job = await getJob(library, jobId)
  const now = clock.now()
  if (!job || isLeased(job, now)) return undefined
  const changes = { set: { ...waitingSince(job, now), attempts: 0 } }
  const { dueKey, dueAt, asked } = job
  if (
    !(await held(table.update(jobKey(jobId), changes, { dueKey: { equals: dueKey }, dueAt: { equals: dueAt }, asked: { equals: asked } })))
  )
    return undefined
  return { ...job, ...changes.set }
}

/** Ends a job that is not done. A run that has it can note nothing more of it. @returns the job as it was */
export async function cancelJob(library: { table: Table }, jobId: string): Promise<JobRecord | undefined> {
  const job = await getJob(library, jobId)
  if (job) await library.table.delete(jobKey(jobId))
  return job
}

/** What the log says while jobs have failed: a deployed service has an alarm on it. */
export const FAILED_JOBS = 'jobs failed'

/** Failed jobs by kind; at most so many are counted. */
export async function countFailed({ table }: { table: Pick<TableReader, 'query'> }, most = 1_000): Promise<Map<string, number>> {
  const { items } = await table.query<Key & { dueAt: string }>({ index: 'trashDue', pk: failedKey(), limit: most })
  return new Map([...Map.groupBy(items, ({ dueAt }) => dueAt.slice(0, dueAt.indexOf('#')))].map(([kind, those]) => [kind, those.length]))
}
