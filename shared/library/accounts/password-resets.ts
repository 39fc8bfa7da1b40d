import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Email } from '../../backends/mail/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import { Invalid } from '../errors.ts'
import { retryOnConflict } from '../retry.ts'
import { inTurn } from './hashing-turns.ts'
import { hashPassword } from './passwords.ts'
import { findUser, type UserRecord, userChange } from './users.ts'

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

/**
 * Sets a new password by a code, which works once and until the password changes.
 * @param address of who asks, for their turn to have it hashed
 * @throws Invalid for an unknown, used or expired code, Busy (the code stays good)
 */
export async function finishPasswordReset(
  { table, clock }: { table: Table; clock: Clock },
  { code, password }: { code: string; password: string },
  address: string,
): Promise<void> {
  await userOf(table, clock, code)
  const passwordHash = await inTurn(address, () => hashPassword(password))
  await retryOnConflict(async () => {
    const user = await userOf(table, clock, code)
    await table.transact([
      { delete: resetKey(code), if: { pk: { exists: true } } },
      userChange(user, { passwordHash, tokenEpoch: user.tokenEpoch + 1 }),
    ])
  })
}

/** Whose password a code may change. @throws Invalid */
async function userOf(table: TableReader, clock: Clock, code: string): Promise<UserRecord> {
  const reset = await table.get<ResetRecord>(resetKey(code))
  const user = reset && reset.ttl * 1000 > clock.now() ? await findUser(table, reset.userId) : undefined
  if (!reset || !user || user.tokenEpoch !== reset.tokenEpoch || user.disabled) {
    throw new Invalid({ path: 'code', message: 'the code is wrong, used or expired' }, 'wrong_code')
  }
  return user
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
