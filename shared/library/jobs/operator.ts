import type { Key, Operations, TableReader, Value } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Writing } from '../library.ts'
import { jobsIn } from './in-state.ts'
import { getJob, type JobRecord, type Jobs, jobKey } from './job.ts'
import { isLeased } from './lease.ts'
import { FAILED, type JobState, states, waitingSince } from './states.ts'

/** Restricts a list of jobs; by default all jobs of the given kinds. */
export interface JobFilter {
  state?: JobState | undefined
  companyId?: CompanyId | undefined
}

/** The unfinished jobs of these kinds, ordered by state, failed ones first. */
export async function listJobs(
  library: { table: TableReader },
  kinds: readonly string[],
  { state, companyId }: JobFilter,
): Promise<JobRecord[]> {
  const found: JobRecord[] = []
  for (const each of states.toReversed()) {
    if (state !== undefined && state !== each) continue
    for await (const job of jobsIn(library, each, kinds)) found.push(job)
  }
  return found.filter((job) => companyId === undefined || job.companyId === companyId)
}

/** Makes a job wait for a run at once, with all attempts again. @returns undefined if it doesn't exist, or is running */
export async function retryJob(library: Jobs, jobId: string): Promise<JobRecord | undefined> {
  const { table, clock } = library
  const job = await getJob(library, jobId)
  const now = clock.now()
  if (!job || isLeased(job, now)) return undefined
  const changes = { ...waitingSince(job, now), attempts: 0 }
  const { dueKey, dueAt, asked } = job
  const unchanged = { dueKey: { equals: dueKey }, dueAt: { equals: dueAt }, asked: { equals: asked } }
  if (!(await held(table.update(jobKey(jobId), { set: changes }, unchanged)))) return undefined
  return { ...job, ...changes }
}

/** The consequences of a job's cancellation: operations for the transaction that deletes it. */
export type Cancelled<Input = Value> = (library: Writing, input: Input) => Promise<Operations>

/** Cancels a job. A current run can store nothing any more. @returns the cancelled job; undefined if there is none @throws Conflict */
export async function cancelJob(library: Writing, jobId: string, cancelled?: Cancelled): Promise<JobRecord | undefined> {
  return retryOnConflict(async () => {
    const job = await getJob(library, jobId)
    if (!job) return undefined
    const ended = await cancelled?.(library, job.input)
    await library.table.transact({ job: { delete: jobKey(jobId), if: { asked: { equals: job.asked } } }, ...ended })
    return job
  })
}

/** Log message while there are failed jobs. Deployments have an alarm on it. */
export const FAILED_JOBS = 'jobs failed'

/** Counts failed jobs by kind. @param most stops counting at this number */
export async function countFailed({ table }: { table: Pick<TableReader, 'query'> }, most = 1_000): Promise<Map<string, number>> {
  const { items } = await table.query<Key & { dueAt: string }>({ index: 'trashDue', pk: FAILED, limit: most })
  return new Map([...Map.groupBy(items, ({ dueAt }) => dueAt.slice(0, dueAt.indexOf('#')))].map(([kind, those]) => [kind, those.length]))
}
