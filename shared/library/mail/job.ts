import type { Operation, Operations } from '../../backends/table/port.ts'
import type { CompanyId, EncodingId, MediaId, UserId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'

/** The occasion of a mail with an invitation. */
export type Invitation = { invitation: UserId; baseUrl: string; requestId: string }

/**
 * The occasion of an e-mail: a new password was asked for by an application or by a person (the id of the request), somebody is invited, a zip can be downloaded (the job that made it), a stream can be
 * played or could not be made, a company's quota is filled to a step, or a webhook was turned off (to one of its admins).
 */
export type MailInput =
  | { passwordReset: string }
  | { forgotten: string }
  | Invitation
  | { zip: string }
  | { stream: MediaId; encodingId: EncodingId }
  | { quota: CompanyId; percent: number; userId: UserId }
  | { webhook: string; userId: UserId; why: 'gone' | 'failing' }

/** Sends an e-mail. */
export const mailJob = new JobKind<MailInput>('send-mail')

/** The write that asks for an e-mail, in the transaction that brings about what it tells of. */
export function askForMail(library: Pick<Writing, 'clock' | 'by'>, companyId: CompanyId, input: MailInput): Operation {
  return mailJob.ask(library, { companyId, subject: subjectOf(input), input })
}

/** The writes that ask for an e-mail to each of some users. @param inputFor what it tells of, to one of them */
export function askForMails(
  library: Pick<Writing, 'clock' | 'by'>,
  companyId: CompanyId,
  users: readonly { userId: UserId }[],
  inputFor: (userId: UserId) => MailInput,
): Operations {
  return Object.fromEntries(users.map(({ userId }) => [`mail ${userId}`, askForMail(library, companyId, inputFor(userId))]))
}

function subjectOf(input: MailInput): string {
  if ('zip' in input) return `zip-${input.zip}`
  if ('quota' in input) return `quota-${input.quota}-${input.percent}-${input.userId}`
  if ('invitation' in input) return `invitation-${input.invitation}`
  if ('forgotten' in input) return `forgotten-${input.forgotten}`
  if ('webhook' in input) return `webhook-${input.webhook}-${input.userId}`
  return 'stream' in input ? `stream-${input.encodingId}` : `reset-${input.passwordReset}`
}
