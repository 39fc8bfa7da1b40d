import { createHash } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Mail } from '../../backends/mail/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Reading, Writing } from '../library.ts'
import { askForMail } from '../mail/job.ts'
import { CODE_LIFETIME_SECONDS, PAUSE_SECONDS, resetWasMailed, startPasswordReset } from './password-resets.ts'
import { maySignInByPassword } from './password-sign-in.ts'
import { recipientIn, type Unmailed } from './recipient.ts'
import { resetEmail } from './reset-email.ts'
import { findUserByName, foldUsername, isMemberOf, MAX_USERNAME_LENGTH } from './users.ts'

/**
 * A request for a new password. The record doesn't say whether there is such a user: the endpoint writes it without looking anything up,
 * so its answer takes the same time for every name. A job (functions/jobs/send-mail.ts) does the rest.
 */
export type ResetRequest = Key & {
  /** Names the request in its key. */
  id: string
  /** Company of the key by which it was asked for. */
  companyId: CompanyId
  /** As it was typed. */
  username: string
  /** Address of the API under which the asking application knows it. */
  baseUrl: string
  requestId: string
  /** UNIX milliseconds */
  asked: number
  ttl: number
}

const requestKey = (id: string): Key => ({ pk: `RESETREQUEST#${id}`, sk: 'RESETREQUEST' })

/** Records that a company's application asks for a user's new password; once a minute, whatever the user's name is. */
export async function requestPasswordReset(
  library: Writing,
  input: Pick<ResetRequest, 'companyId' | 'username' | 'baseUrl' | 'requestId'>,
): Promise<void> {
  if (input.username.length > MAX_USERNAME_LENGTH) return
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

/** A request that was recorded. */
export function findResetRequest({ table }: Reading, id: string): Promise<ResetRequest | undefined> {
  return table.get<ResetRequest>(requestKey(id))
}

/**
 * Mails the code that was asked for. May be repeated: what was mailed already is not mailed again, unless the process died between
 * the mail and the note of it. At most one mail a user and minute.
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailPasswordReset(
  library: { table: Table; mail: Mail; clock: Clock; settings: Pick<Settings, 'brand'> },
  id: string,
): Promise<Unmailed | undefined> {
  const { mail, clock, settings } = library
  const request = await findResetRequest(library, id)
  if (!request) return undefined
  if (clock.now() - request.asked > CODE_LIFETIME_SECONDS * 1000) return { reason: 'it was asked for too long ago' }
  const user = await findUserByName(library, request.username)
  // A key resets passwords of its own company's users only.
  // Who has no password signs on at a provider, which a new password would pass by.
  if (!user || user.disabled || user.passwordHash === undefined || !isMemberOf(user, request.companyId)) return undefined
  if (!(await maySignInByPassword(library, user))) return undefined
  const recipient = recipientIn(user)
  if ('reason' in recipient) return recipient
  const code = await startPasswordReset(library, user, request.asked)
  if (code === undefined) return undefined
  await mail.send(resetEmail({ ...recipient, code, brand: settings.brand, ...request }))
  await resetWasMailed(library, user.userId, request.asked)
  return undefined
}
