import type { Operation } from '../../backends/table/port.ts'
import type { CompanyId, EncodingId, MediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'

/**
 * What an e-mail tells of: a new password was asked for (the id of the request), a zip can be downloaded (the job that made it), or a stream can be
 * played or could not be made.
 */
export type MailInput = { passwordReset: string } | { zip: string } | { stream: MediaId; encodingId: EncodingId }

/** Sends an e-mail. */
export const mailJob = new JobKind<MailInput>('send-mail')

/** The write that asks for an e-mail, in the transaction that brings about what it tells of. */
export function askForMail(library: Pick<Writing, 'clock' | 'by'>, companyId: CompanyId, input: MailInput): Operation {
  return mailJob.ask(library, { companyId, subject: subjectOf(input), input })
}

function subjectOf(input: MailInput): string {
  if ('zip' in input) return `zip-${input.zip}`
  return 'stream' in input ? `stream-${input.encodingId}` : `reset-${input.passwordReset}`
}
