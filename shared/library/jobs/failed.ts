import type { TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { failedJobs } from './in-state.ts'
import { getJob, type JobRecord, type Jobs } from './job.ts'
import { retryJob } from './operator.ts'
import { stateOf } from './states.ts'

/** Most failed jobs in a list, and in a request to retry some. */
export const MAX_FAILED = 100
/** Most failed jobs of all companies that are searched for those of one. An outage may fail any number. */
const LOOKED_THROUGH = 2_000

export interface FailedJobs {
  jobs: JobRecord[]
  /** Whether the company may have more. */
  more: boolean
}

/** Failed jobs of a company, by kind. */
export async function listFailedJobs(library: { table: TableReader }, companyId: CompanyId): Promise<FailedJobs> {
  const jobs: JobRecord[] = []
  let looked = 0
  for await (const job of failedJobs(library)) {
    if (++looked > LOOKED_THROUGH || jobs.length === MAX_FAILED) return { jobs, more: true }
    if (job.companyId === companyId) jobs.push(job)
  }
  return { jobs, more: false }
}

/** Makes failed jobs of a company wait for a run, with all attempts again. Ignores other jobs. @returns ids of the jobs that wait now */
export async function retryFailedJobs(library: Jobs, companyId: CompanyId, jobIds: readonly string[]): Promise<string[]> {
  const retried: string[] = []
  for (const jobId of new Set(jobIds)) {
    const job = await getJob(library, jobId)
    if (job?.companyId === companyId && stateOf(job) === 'failed' && (await retryJob(library, jobId))) retried.push(jobId)
  }
  return retried
}
