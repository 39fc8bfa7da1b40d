import type { Operation } from '../../backends/table/port.ts'
import { held } from '../conditional.ts'
import { NOT_DUE } from '../due.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { type ZipRecord, zipChange } from './zip.ts'

/** Makes a zip that is PENDING. */
export const zipJob = new JobKind<{ zip: string }>('build-zip')

/** The write that asks for the job of a zip. */
export function askForZip(library: Pick<Writing, 'clock' | 'by'>, { companyId, jobId }: ZipRecord): Operation {
  return zipJob.ask(library, { companyId, subject: jobId, input: { zip: jobId } })
}

/** Gives a zip its job that is PENDING without one, because an earlier version made it. */
export async function giveZipJob(library: Writing, zip: ZipRecord): Promise<void> {
  const { operation } = zipChange(library, zip, NOT_DUE)
  await held(library.table.transact({ zip: operation, job: askForZip(library, zip) }))
}
