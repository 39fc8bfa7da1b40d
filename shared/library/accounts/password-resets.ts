import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Email } from '../../backends/mail/port.ts'
import { ConditionFailed, type Key, type Table } from '../../backends/table/port.ts'
import { Invalid } from '../errors.ts'
import { findUser, setPassword, type UserRecord } from './users.ts'

/** A code lives for an hour (decision 12). */
const LIFETIME_SECONDS = 3600

/** A reset under way: under the code's hash, so that the table's contents open nothing. */
type ResetRecord = Key & { userId: number; tokenEpoch: number; ttl: number }

const resetKey = (code: string): Key => ({ pk: `RESET#${createHash('sha256').update(code).digest('hex')}`, sk: 'RESET' })

/** Starts a reset. @returns the code that finishes it */
export async function startPasswordReset(table: Table, clock: Clock, user: UserRecord): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const ttl = Math.floor(clock.now() / 1000) + LIFETIME_SECONDS
  const record: ResetRecord = { ...resetKey(code), userId: user.userId, tokenEpoch: user.tokenEpoch, ttl }
  await table.put(record)
  return code
}

/** Sets a new password by a code, which works once and until the password changes. @throws Invalid for an unknown, used or expired one */
export async function finishPasswordReset(table: Table, clock: Clock, code: string, password: string): Promise<void> {
  const wrong = new Invalid({ path: 'code', message: 'is wrong, used or expired' }, 'wrong_code')
  const reset = await table.get<ResetRecord>(resetKey(code))
  if (!reset || reset.ttl * 1000 <= clock.now()) throw wrong
  const user = await findUser(table, reset.userId)
  if (user?.tokenEpoch !== reset.tokenEpoch || user.disabled) throw wrong
  try {
    await table.delete(resetKey(code), { pk: { exists: true } })
  } catch (error) {
    throw error instanceof ConditionFailed ? wrong : error
  }
  await setPassword(table, reset.userId, password)
}

/** The e-mail that carries the code. Usernames that are no e-mail address can't get one. */
export function resetEmail(user: UserRecord, code: string, baseUrl: string, requestId: string): Email | undefined {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(user.username)) return undefined
  const url = `${baseUrl}/authenticate/userpass/reset/confirm`
  const lines = [
    `Hello ${user.fullname},`,
    'somebody asked for a new password for your account. Your code, good for one hour:',
    code,
    `Your application finishes the reset by posting {"code", "password"} to ${url}.`,
    'If it was not you, nothing needs to be done.',
    `Request ${requestId}`,
  ]
  const html = lines.map((line) => `<p>${line === code ? `<code>${line}</code>` : escapeHtml(line)}</p>`).join('\n')
  return { to: user.username, subject: 'Your new password', text: lines.join('\n\n'), html }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
