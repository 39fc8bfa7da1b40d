import { createHash } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Mail } from '../../backends/mail/port.ts'
import { ConditionFailed, type Key, type Table } from '../../backends/table/port.ts'
import { CODE_LIFETIME_SECONDS, PAUSE_SECONDS, resetWasMailed, startPasswordReset } from './password-resets.ts'
import { resetEmail } from './reset-email.ts'
import { findUserByName, foldUsername, isMemberOf, MAX_USERNAME_LENGTH, mailAddressOf } from './users.ts'

/**
 * Somebody asked for a new password. The record says nothing of whether there is such a user: a request writes it and looks nothing up,
 * so its answer takes the same time for everybody. A job (functions/events/send-mail.ts) does the rest.
 */
export type ResetRequest = Key & {
  /** Names the request in its key. */
  id: string
  /** Company of the key by which it was asked for. */
  companyId: number
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
  { table, clock }: { table: Table; clock: Clock },
  input: Pick<ResetRequest, 'companyId' | 'username' | 'baseUrl' | 'requestId'>,
): Promise<void> {
  if (input.username.length > MAX_USERNAME_LENGTH) return
  const asked = clock.now()
  const window = Math.floor(asked / 1000 / PAUSE_SECONDS)
  const subject = JSON.stringify([window, input.companyId, foldUsername(input.username)])
  const id = createHash('sha256').update(subject).digest('hex')
  const record: ResetRequest = { ...requestKey(id), ...input, id, asked, ttl: Math.floor(asked / 1000) + 86_400 }
  await table.put(record, { pk: { exists: false } }).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
  })
}

/** Why somebody who exists gets no mail, for the operator. */
export interface Unmailed {
  reason: string
  userId?: number
}

/**
 * Mails the code that somebody asked for. May be repeated: what was mailed already is not mailed again, unless the process died between
 * the mail and the note of it. At most one mail a user and minute.
 * @throws MailUnavailable, InvalidEmail
 */
export async function mailPasswordReset(
  { table, mail, clock }: { table: Table; mail: Mail; clock: Clock },
  id: string,
): Promise<Unmailed | undefined> {
  const request = await table.get<ResetRequest>(requestKey(id))
  if (!request) return undefined
  if (clock.now() - request.asked > CODE_LIFETIME_SECONDS * 1000) return { reason: 'it was asked for too long ago' }
  const user = await findUserByName(table, request.username)
  // A key resets passwords of its own company's users only.
  if (!user || user.disabled || !isMemberOf(user, request.companyId)) return undefined
  const to = mailAddressOf(user)
  if (to === undefined) return { reason: 'the user has no e-mail address', userId: user.userId }
  const code = await startPasswordReset({ table, clock }, user, request.asked)
  if (code === undefined) return undefined
  await mail.send(resetEmail({ to, fullname: user.fullname, code, ...request }))
  await resetWasMailed(table, user.userId, request.asked)
  return undefined
}
