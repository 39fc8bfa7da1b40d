import type { Operation, Table, TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { JOB_RECORDS, JobKind, type JobRecord, jobIdOf } from '../jobs/job.ts'
import { stateOf } from '../jobs/states.ts'
import type { Writing } from '../library.ts'

/** Which snapshot of a company's search index is wanted. */
export type WantedSnapshot = {
  /** The snapshot must contain everything committed up to this time, in UNIX milliseconds. */
  newerThan: number
  /** The name of a snapshot that can't be read. */
  damaged?: string
}

/** Makes a snapshot of a company's search index and removes superseded ones. */
export const snapshotJob = new JobKind<WantedSnapshot>('snapshot-index')

/** Prefix of these jobs' partition keys. */
export const SNAPSHOT_JOBS = `${JOB_RECORDS}${jobIdOf({ kind: snapshotJob.name, subject: '' })}`

/** The table for processes that only read it, except that they ask for jobs. */
export type SnapshotJobs = Pick<Table, 'transact'>

/** The write operation that asks for a snapshot. */
export const snapshotOf = (library: Pick<Writing, 'clock' | 'by'>, companyId: CompanyId, wanted: WantedSnapshot): Operation =>
  snapshotJob.ask(library, { companyId, subject: String(companyId), input: wanted })

/** Asks for a snapshot unless a job is pending. */
export async function askForSnapshot(
  library: Pick<Writing, 'clock' | 'by'> & { table: TableReader; snapshotJobs: SnapshotJobs },
  companyId: CompanyId,
  wanted: WantedSnapshot,
): Promise<void> {
  if (await isPending(library, companyId)) return
  await library.snapshotJobs.transact({ job: snapshotOf(library, companyId, wanted) })
}

/** A company's unfinished job. */
export const getSnapshotJob = (library: { table: TableReader }, companyId: CompanyId): Promise<JobRecord | undefined> =>
  snapshotJob.find(library, String(companyId))

/** Whether a job is waiting, running or due for a retry. A job that only waits to remove superseded snapshots doesn't count. */
async function isPending(library: { table: TableReader }, companyId: CompanyId): Promise<boolean> {
  const job = await getSnapshotJob(library, companyId)
  return job !== undefined && (stateOf(job) !== 'later' || job.attempts > 0)
}
