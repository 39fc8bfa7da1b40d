import type { Operation } from '../../backends/table/port.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { ZipRecord } from './zip.ts'

/** Makes a zip that is PENDING. */
export const zipJob = new JobKind<{ zip: string }>('build-zip')

/** The write that asks for the job of a zip. Zips that are asked for by share links wait behind those of the company's own people. */
export function askForZip(library: Pick<Writing, 'clock' | 'by'>, { companyId, jobId, requester }: ZipRecord): Operation {
  return zipJob.ask(library, { companyId, subject: jobId, input: { zip: jobId }, yields: 'shareId' in requester })
}
