import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation, Table, TableReader } from '../../backends/table/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'
import { ignoreFailedWrite, noteSeen, SEEN_EVERY_SECONDS } from './last-seen.ts'
import { isSignedOn, type SignOnOrigin } from './sign-ons.ts'
import { findUser, type UserRecord } from './users.ts'

/** Longest lifetime of a session, in seconds. */
export const SESSION_SECONDS = 7 * 86_400
/** Idle time-out, in seconds. */
const IDLE_SECONDS = 8 * 3600
/** Uses are recorded once within so many seconds, so a session may end that much early. */
const NOTED_EVERY_SECONDS = 60

/** A stored session. Its key is the hash of its secret, so a leaked table opens no session. */
type SessionRecord = Key & {
  userId: UserId
  tokenEpoch: number
  /** The provider's sign-on. Absent for sign-ins by password. */
  signOn?: SignOnOrigin
  /** Last recorded use, in UNIX seconds. */
  used: number
  /** Latest end, in UNIX seconds. */
  ends: number
  ttl: number
}

/** A browser that is signed in. */
export interface Session {
  /** CSRF token. Requests that change something repeat it in a header. */
  csrf: string
  /** End without further use, in UNIX milliseconds. */
  expires: number
}

/** Write access of functions that only record the use of sessions and tokens, and when users were seen. */
export type SessionTable = Pick<Table, 'update'>

/** Prefix of the partition keys of sessions. */
export const SESSIONS = 'SESSION#'

const sessionKey = (secret: string): Key => ({ pk: `${SESSIONS}${hash('sha256', secret)}`, sk: 'SESSION' })

/** Derived from the secret, so the table doesn't hold it. */
const csrfOf = (secret: string): string => createHmac('sha256', secret).update('csrf').digest('base64url')

const sessionOf = (secret: string, { used, ends }: Pick<SessionRecord, 'used' | 'ends'>): Session => ({
  csrf: csrfOf(secret),
  expires: Math.min(used + IDLE_SECONDS, ends) * 1000,
})

/**
 * Begins a session.
 * @param signOn the provider's sign-on, if any
 * @returns the session, and its secret: 32 random bytes in base64url
 */
export async function beginSession(
  { table, clock }: { table: Table; clock: Clock },
  user: UserRecord,
  signOn?: SignOnOrigin,
): Promise<{ secret: string; session: Session }> {
  const { userId, tokenEpoch } = user
  const secret = randomBytes(32).toString('base64url')
  const used = Math.floor(clock.now() / 1000)
  const ends = used + SESSION_SECONDS
  const record: SessionRecord = { ...sessionKey(secret), userId, tokenEpoch, ...(signOn && { signOn }), used, ends, ttl: ends }
  await Promise.all([table.put(record), noteSeen({ table, clock }, user)])
  return { secret, session: sessionOf(secret, record) }
}

/** Whether this is the session's CSRF token. Constant time. */
export function isCsrfOf(secret: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(csrfOf(secret)), Buffer.from(given)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/**
 * Authenticates by a session's secret. Reads consistently, so that a sign-out, a new password, a disabled user and a provider's logout take
 * effect at once. Records the use.
 */
export async function authenticateSession(
  { table, sessions, clock }: { table: TableReader; sessions: SessionTable; clock: Clock },
  secret: string,
): Promise<{ user: UserRecord; session: Session } | undefined> {
  if (!/^[\w-]{43}$/.test(secret)) return undefined
  const record = await table.get<SessionRecord>(sessionKey(secret))
  if (!record || sessionOf(secret, record).expires <= clock.now()) return undefined
  const { userId, signOn } = record
  const [user, isVouchedFor] = await Promise.all([
    findUser({ table }, userId),
    signOn === undefined || isSignedOn({ table }, signOn, userId),
  ])
  if (!isVouchedFor || !user || user.disabled || user.tokenEpoch !== record.tokenEpoch) return undefined
  return { user, session: sessionOf(secret, { ...record, used: await noteUse({ sessions, clock }, record, user) }) }
}

/** @returns the last recorded use, in UNIX seconds. Ignores failed writes: they must not fail the request */
async function noteUse(
  { sessions, clock }: { sessions: SessionTable; clock: Clock },
  { pk, sk, used }: SessionRecord,
  user: UserRecord,
): Promise<number> {
  const now = Math.floor(clock.now() / 1000)
  if (now < used + NOTED_EVERY_SECONDS) return used
  try {
    // The condition fails if another request recorded a use, or the session ended meanwhile.
    await sessions.update({ pk, sk }, { set: { used: now } }, { used: { equals: used } })
  } catch (error) {
    ignoreFailedWrite(error)
    return used
  }
  if (windowOf(now) !== windowOf(used)) await noteSeen({ table: sessions, clock }, user)
  return now
}

const windowOf = (seconds: number): number => Math.floor(seconds / SEEN_EVERY_SECONDS)

/** The operation that keeps a session valid when its user's other sessions end. @param tokenEpoch the new one */
export function keepSession(secret: string, tokenEpoch: number): Operation {
  return { update: sessionKey(secret), changes: { set: { tokenEpoch } }, if: { pk: { exists: true } } }
}

/** Ends a session. Idempotent. */
export async function endSession({ table }: { table: Table }, secret: string): Promise<void> {
  await table.delete(sessionKey(secret))
}
