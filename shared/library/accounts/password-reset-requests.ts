import { createHash } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Mail } from '../../backends/mail/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { mailBrand } from '../brands/brand.ts'
import { held } from '../concurrency/conditional.ts'
import type { Reading, Writing } from '../library.ts'
import { askForMail } from '../mail/job.ts'
import { CODE_LIFETIME_SECONDS, PAUSE_SECONDS, resetWasMailed, startPasswordReset } from './password-resets.ts'
import { maySignInByPassword } from './password-sign-in.ts'
import { recipientIn, type Unmailed } from './recipient.ts'
import { resetEmail } from './reset-email.ts'
import { findUserByName, foldUsername, isMemberOf, isTooLong } from './users.ts'

/**
 * A request for a new password. The endpoint writes it without looking up the user, so that its answer takes the same time for every name.
 * A job (functions/jobs/send-mail.ts) looks up the user and sends the mail.
 */
export type ResetRequest = Key & {
  /** Part of its key. */
  id: string
  /** Company of the API key of the request. */
  companyId: CompanyId
  /** As it was typed. */
  username: string
  /** Base URL of the API as the application knows it. */
  baseUrl: string
  requestId: string
  /** UNIX milliseconds */
  asked: number
  ttl: number
}

const requestKey = (id: string): Key => ({ pk: `RESETREQUEST#${id}`, sk: 'RESETREQUEST' })

/** Records an application's request for a user's new password. At most one per minute, for existing and unknown names alike. */
export async function requestPasswordReset(
  library: Writing,
  input: Pick<ResetRequest, 'companyId' | 'username' | 'baseUrl' | 'requestId'>,
): Promise<void> {
  if (isTooLong(input.username)) return
  const asked = library.clock.now()
  const window = Math.floor(asked / 1000 / PAUSE_SECONDS)
  const subject = JSON.stringify([window, input.companyId, foldUsername(input.username)])
  const id = createHash('sha256').update(subject).digest('hex')
  const record: ResetRequest = { ...requestKey(id), ...input, id, asked, ttl: Math.floor(asked / 1000) + 86_400 }
  await held(
    library.table.transact({
      request: { put: record, if: { pk: { exists: false } } },
      mail: askForMail(library, input.companyId, { passwordReset: id }),
    }),
  )
}

export function findResetRequest({ table }: Reading, id: string): Promise<ResetRequest | undefined> {
  return table.get<ResetRequest>(requestKey(id))
}

/**
 * Mails the requested code, at most one per user and minute. Idempotent, unless the process died between sending and recording the mail.
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailPasswordReset(
  library: { table: Table; mail: Mail; clock: Clock; settings: Pick<Settings, 'brand'> },
  id: string,
): Promise<Unmailed | undefined> {
  const { mail, clock } = library
  const request = await findResetRequest(library, id)
  if (!request) return undefined
  if (clock.now() - request.asked > CODE_LIFETIME_SECONDS * 1000) return { reason: 'it was asked for too long ago' }
  const user = await findUserByName(library, request.username)
  // A key resets passwords of its own company's users only. A user without a password signs on at a provider, which a new password would bypass.
  if (!user || user.disabled || user.passwordHash === undefined || !isMemberOf(user, request.companyId)) return undefined
  if (!(await maySignInByPassword(library, user))) return undefined
  const recipient = recipientIn(user)
  if ('reason' in recipient) return recipient
  const code = await startPasswordReset(library, user, request.asked)
  if (code === undefined) return undefined
  await mail.send(
    resetEmail({ ...recipient, code, isForApplication: true, brand: await mailBrand(library, request.companyId), ...request }),
  )
  await resetWasMailed(library, user.userId, request.asked)
  return undefined
}
