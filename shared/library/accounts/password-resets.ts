import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operations, Table, TableReader } from '../../backends/table/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Invalid } from '../errors.ts'
import { inTurn } from './hashing-turns.ts'
import { hashPassword } from './passwords.ts'
import { findUser, type UserRecord, userChange, userKey } from './users.ts'

export const CODE_LIFETIME_SECONDS = 3600
/** Most valid codes of a user. A further one invalidates the oldest. */
const CODES = 5
/** Shortest time between two mails to a user, in seconds. */
export const PAUSE_SECONDS = 60

interface Resetting {
  table: Table
  clock: Clock
}

/** A mailed code. Its key is the hash of the code, so a leaked table opens no account. */
type ResetRecord = Key & { userId: UserId; tokenEpoch: number; ttl: number }

/** Recent mails to a user. */
type MailedResets = Key & {
  /** Hashes of codes, oldest first. */
  codes: { hash: string; ttl: number }[]
  /** Time of the last request, in UNIX milliseconds. */
  asked: number
  /** Whether its mail was sent. */
  mailed: boolean
  revision: number
  ttl: number
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')
const resetKey = (hash: string): Key => ({ pk: `RESET#${hash}`, sk: 'RESET' })
const mailedKey = (userId: UserId): Key => ({ pk: userKey(userId).pk, sk: 'RESETS' })

/**
 * Makes a code that changes the user's password.
 * @param asked time of the request, in UNIX milliseconds: identifies its retries
 * @returns undefined if a mail was sent for this request already, or for another one within the last minute
 */
export async function startPasswordReset({ table, clock }: Resetting, user: UserRecord, asked: number): Promise<string | undefined> {
  const now = Math.floor(clock.now() / 1000)
  return retryOnConflict(async () => {
    const before = await table.get<MailedResets>(mailedKey(user.userId))
    if (before && !isDue(before, asked)) return undefined
    const code = randomBytes(32).toString('base64url')
    const ttl = now + CODE_LIFETIME_SECONDS
    const good = (before?.codes ?? []).filter((known) => known.ttl > now)
    const ended = good.slice(0, Math.max(0, good.length + 1 - CODES))
    const codes = [...good.slice(ended.length), { hash: hashOf(code), ttl }]
    const revision = (before?.revision ?? 0) + 1
    const reset: ResetRecord = { ...resetKey(hashOf(code)), userId: user.userId, tokenEpoch: user.tokenEpoch, ttl }
    const mailed: MailedResets = { ...mailedKey(user.userId), codes, asked, mailed: false, revision, ttl }
    await table.transact({
      reset: { put: reset },
      ...Object.fromEntries(ended.map(({ hash }) => [`ended ${hash}`, { delete: resetKey(hash) }])),
      mailed: { put: mailed, if: before ? { revision: { equals: before.revision } } : { pk: { exists: false } } },
    })
    return code
  })
}

/**
 * Makes a code that changes the user's password, and invalidates all earlier ones.
 * @param seconds its lifetime
 */
export async function onlyCode({ table, clock }: Resetting, { userId, tokenEpoch }: UserRecord, seconds: number): Promise<string> {
  return retryOnConflict(async () => {
    const before = await table.get<MailedResets>(mailedKey(userId))
    const code = randomBytes(32).toString('base64url')
    const ttl = Math.floor(clock.now() / 1000) + seconds
    const reset: ResetRecord = { ...resetKey(hashOf(code)), userId, tokenEpoch, ttl }
    const { asked = 0, mailed = true, revision = 0 } = before ?? {}
    const codes = [{ hash: hashOf(code), ttl }]
    const record: MailedResets = { ...mailedKey(userId), codes, asked, mailed, revision: revision + 1, ttl }
    await table.transact({
      reset: { put: reset },
      ...invalidations(before),
      mailed: { put: record, if: before ? { revision: { equals: before.revision } } : { pk: { exists: false } } },
    })
    return code
  })
}

/** The operations that invalidate all codes of a user. They fail if another code is made meanwhile. */
export async function invalidateCodes({ table }: { table: TableReader }, userId: UserId): Promise<Operations> {
  const before = await table.get<MailedResets>(mailedKey(userId))
  if (!before) return {}
  return { ...invalidations(before), mailed: { delete: mailedKey(userId), if: { revision: { equals: before.revision } } } }
}

const invalidations = (before: MailedResets | undefined): Operations =>
  Object.fromEntries((before?.codes ?? []).map(({ hash }) => [`ended ${hash}`, { delete: resetKey(hash) }]))

function isDue(before: MailedResets, asked: number): boolean {
  if (asked === before.asked) return !before.mailed
  return asked - before.asked >= PAUSE_SECONDS * 1000
}

/** Records that the mail of a request was sent, so that a retry sends no second one. */
export async function resetWasMailed({ table }: { table: Table }, userId: UserId, asked: number): Promise<void> {
  // The condition fails after a later request.
  await held(table.update(mailedKey(userId), { set: { mailed: true } }, { asked: { equals: asked } }))
}

/**
 * Sets a new password by a code. A code works once, and only until the password changes.
 * @param address of the request: hashing takes turns by network
 * @throws Invalid for an unknown, used or expired code, Busy (the code stays valid)
 */
export async function finishPasswordReset(
  library: Resetting & { requestId: string },
  { code, password }: { code: string; password: string },
  address: string,
): Promise<void> {
  await userOf(library, code)
  const passwordHash = await inTurn(address, () => hashPassword(password))
  await retryOnConflict(async () => {
    const user = await userOf(library, code)
    const by: Actor = { kind: 'user', userId: user.userId, requestId: library.requestId }
    await library.table.transact({
      reset: { delete: resetKey(hashOf(code)), if: { pk: { exists: true } } },
      user: userChange({ by }, user, { passwordHash, tokenEpoch: user.tokenEpoch + 1 }),
    })
  })
}

/** The user whose password a code may change. @throws Invalid */
async function userOf({ table, clock }: Resetting, code: string): Promise<UserRecord> {
  const reset = await table.get<ResetRecord>(resetKey(hashOf(code)))
  const user = reset && reset.ttl * 1000 > clock.now() ? await findUser({ table }, reset.userId) : undefined
  if (!reset || !user || user.tokenEpoch !== reset.tokenEpoch || user.disabled) {
    throw new Invalid({ path: 'code', message: 'is wrong, used or expired' }, 'wrong_code')
  }
  return user
}
