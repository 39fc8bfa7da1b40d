import type { Operation, Table, TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { JOB_RECORDS, JobKind, type JobRecord, jobIdOf } from '../jobs/job.ts'
import { stateOf } from '../jobs/states.ts'
import type { Writing } from '../library.ts'

/** Which snapshot of a company's search index is wanted. */
export type WantedSnapshot = {
  /** UNIX milliseconds: everything committed until then is to be in it. */
  newerThan: number
  /** The name of a snapshot that can't be used. */
  damaged?: string
}

/** Makes a snapshot of a company's search index, and removes those that were replaced. */
export const snapshotJob = new JobKind<WantedSnapshot>('snapshot-index')

/** Begins the partition keys of these jobs. */
export const SNAPSHOT_JOBS = `${JOB_RECORDS}${jobIdOf({ kind: snapshotJob.name, subject: '' })}`

/** The table as a process that only reads it asks for jobs. */
export type SnapshotJobs = Pick<Table, 'transact'>

/** The write that asks for a snapshot. */
export const snapshotOf = (library: Pick<Writing, 'clock' | 'by'>, companyId: CompanyId, wanted: WantedSnapshot): Operation =>
  snapshotJob.ask(library, { companyId, subject: String(companyId), input: wanted })

/** Asks for a snapshot, unless a job is going to make one. */
export async function askForSnapshot(
  library: Pick<Writing, 'clock' | 'by'> & { table: TableReader; snapshotJobs: SnapshotJobs },
  companyId: CompanyId,
  wanted: WantedSnapshot,
): Promise<void> {
  if (await isPending(library, companyId)) return
  await library.snapshotJobs.transact({ job: snapshotOf(library, companyId, wanted) })
}

/** The job of a company that is not done. */
export const getSnapshotJob = (library: { table: TableReader }, companyId: CompanyId): Promise<JobRecord | undefined> =>
  snapshotJob.find(library, String(companyId))

/** Whether a run makes a snapshot, will make one, or failed and is tried again. A job that only waits to remove what was replaced is none. */
async function isPending(library: { table: TableReader }, companyId: CompanyId): Promise<boolean> {
  const job = await getSnapshotJob(library, companyId)
  return job !== undefined && (stateOf(job) !== 'later' || job.attempts > 0)
}
