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

/** Removes a zip that has ended, from a time on (UNIX milliseconds). */
export const zipExpiryJob = new JobKind<{ zip: string; from: number }>('expire-zip')

/** An ended zip stays an hour longer than it can be asked for: downloads that have begun come to their end. */
const GRACE_MS = 3_600_000

/** The write that asks for the removal of a zip, in the transaction that ends it. @param validUntil UNIX milliseconds */
export function askForZipExpiry(library: Pick<Writing, 'clock' | 'by'>, { companyId, jobId }: ZipRecord, validUntil: number): Operation {
  const at = validUntil + GRACE_MS
  return zipExpiryJob.ask(library, { companyId, subject: jobId, input: { zip: jobId, from: at }, at })
}
