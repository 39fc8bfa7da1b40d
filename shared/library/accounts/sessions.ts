import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation, Table, TableReader } from '../../backends/table/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'
import { noteSeen, SEEN_EVERY_SECONDS, unlessBroken } from './last-seen.ts'
import { isSignedOn, type SignOnOrigin } from './sign-ons.ts'
import { findUser, type UserRecord } from './users.ts'

/** Longest lifetime of a session, in seconds. */
export const SESSION_SECONDS = 7 * 86_400
/** Idle time-out, in seconds. */
const IDLE_SECONDS = 8 * 3600
/** Uses within so many seconds are recorded once, so a session may end that much early. */
const NOTED_EVERY_SECONDS = 60

/** A stored session. Its key has the hash of its secret, so that the table's contents open nothing. */
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
  /** CSRF token, which requests that change something repeat in a header. */
  csrf: string
  /** End without further use, in UNIX milliseconds. */
  expires: number
}

/** The write access to the table that functions have which write nothing but the use of sessions and tokens, and who was seen. */
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
 * @param signOn the provider's sign-on, where there was one
 * @returns it with its secret: 32 random bytes in base64url
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

/** Whether this is the `csrf` of the session with this secret, in constant time. */
export function isCsrfOf(secret: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(csrfOf(secret)), Buffer.from(given)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/**
 * Authenticates by a session's secret. Reads consistently, so that a sign-out, a new password, a disabled user and a provider's logout take effect at
 * once. Records the use.
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

/** @returns the last recorded use, in UNIX seconds. A failed write is ignored, so that reads go on. */
async function noteUse(
  { sessions, clock }: { sessions: SessionTable; clock: Clock },
  { pk, sk, used }: SessionRecord,
  user: UserRecord,
): Promise<number> {
  const now = Math.floor(clock.now() / 1000)
  if (now < used + NOTED_EVERY_SECONDS) return used
  try {
    // Fails where another request recorded a use, or the session has ended meanwhile.
    await sessions.update({ pk, sk }, { set: { used: now } }, { used: { equals: used } })
  } catch (error) {
    unlessBroken(error)
    return used
  }
  if (windowOf(now) !== windowOf(used)) await noteSeen({ table: sessions, clock }, user)
  return now
}

const windowOf = (seconds: number): number => Math.floor(seconds / SEEN_EVERY_SECONDS)

/** The write that lets a session go on when all others of its user end. @param tokenEpoch the new one */
export function sessionGoesOn(secret: string, tokenEpoch: number): Operation {
  return { update: sessionKey(secret), changes: { set: { tokenEpoch } }, if: { pk: { exists: true } } }
}

/** Ends a session. Idempotent. */
export async function endSession({ table }: { table: Table }, secret: string): Promise<void> {
  await table.delete(sessionKey(secret))
}
