import type { Operation } from '../../backends/table/port.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { BulkRecord } from './bulk.ts'

/** Changes the files of a bulk change, or undoes that. */
export const bulkJob = new JobKind<{ bulkId: string }>('change-media')

/** The operation that asks for the job of a bulk change. */
export function askForJob(library: Pick<Writing, 'clock' | 'by'>, { bulkId, companyId }: BulkRecord): Operation {
  return bulkJob.ask(library, { companyId, subject: bulkId, input: { bulkId } })
}
