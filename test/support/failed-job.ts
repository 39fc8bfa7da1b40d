import { jobIdOf } from '../../shared/library/jobs/job.ts'
import { failedUntil } from '../../shared/library/jobs/states.ts'
import { importJob } from '../../shared/library/media/importing.ts'
import type { CompanyId, MediaId } from '../../shared/vocabulary/ids.ts'
import type { Accounts } from './accounts.ts'

/** Puts a job into a running service that failed there, and is tried again in an hour: the import of a file. @returns its id */
export async function putFailedJob({ library }: Accounts, companyId: CompanyId, mediaId: number): Promise<string> {
  const job = { kind: importJob.name, subject: String(mediaId) }
  const asked = importJob.ask(library, { companyId, subject: job.subject, input: { mediaId: mediaId as MediaId } })
  if (!('update' in asked)) throw new Error('a job is asked for by an update')
  const { update, changes } = asked
  const due = failedUntil(job, library.clock.now() + 3_600_000)
  await library.table.transact({ job: { update, changes: { ...changes, set: { ...changes.set, ...due, attempts: 9 } } } })
  return jobIdOf(job)
}
