import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import type { KeyId, UserId } from '../../vocabulary/ids.ts'
import { apiKeyKey, type KeyRecord } from './api-keys.ts'
import { ignoreFailedWrite, noteSeen, SEEN_EVERY_SECONDS } from './last-seen.ts'
import type { SessionTable } from './sessions.ts'
import { type UserRecord, userKey } from './users.ts'

/** A stored token. Its key is the token's hash, so a leaked table opens nothing. */
type TokenRecord = Key & {
  userId: UserId
  /** Key (public half) of the sign-in. Absent for the library's own programs. */
  key?: string
  tokenEpoch: number
  /** How often the user had left the key's company at sign-in. Absent if never. */
  departures?: number
  /** UNIX seconds */
  validUntil: number
  /** Last recorded use, in UNIX seconds. */
  used: number
  ttl: number
}

const DAY_SECONDS = 86_400

/** Prefix of the partition keys of tokens. */
export const TOKENS = 'TOKEN#'

const tokenKey = (token: string): Key => ({ pk: `${TOKENS}${hash('sha256', token)}`, sk: 'TOKEN' })

/**
 * Issues a token: 32 random bytes in base64url.
 * @param key of the sign-in, if any
 * @returns the token, and its end in UNIX seconds
 */
export async function issueToken(
  { table, clock }: { table: Table; clock: Clock },
  user: UserRecord,
  key: KeyRecord | undefined,
  lifetimeDays: number,
): Promise<{ token: string; validUntil: number }> {
  const token = randomBytes(32).toString('base64url')
  const used = Math.floor(clock.now() / 1000)
  const validUntil = used + lifetimeDays * DAY_SECONDS
  const record: TokenRecord = {
    ...tokenKey(token),
    userId: user.userId,
    ...(key && { key: key.key, ...departuresOf(user, key) }),
    tokenEpoch: user.tokenEpoch,
    validUntil,
    used,
    ttl: validUntil,
  }
  await Promise.all([table.put(record), noteSeen({ table, clock }, user)])
  return { token, validUntil }
}

/**
 * Authenticates by a token. Reads consistently, so that a reset password, a disabled user and a revoked key take effect at once.
 * @param library.sessions if given, the use is recorded
 */
export async function authenticateToken(
  { table, sessions, clock }: { table: TableReader; sessions?: SessionTable; clock: Clock },
  token: string,
): Promise<{ user: UserRecord; keyId?: KeyId } | undefined> {
  if (!/^[\w-]{1,100}$/.test(token)) return undefined
  const record = await table.get<TokenRecord>(tokenKey(token))
  if (!record || record.validUntil * 1000 <= clock.now()) return undefined
  const { userId, key: keyName } = record
  const wanted = [userKey(userId), ...(keyName === undefined ? [] : [apiKeyKey(keyName)])]
  const [user, key] = await table.getMany<Key>(wanted).then(userAndKey(userId))
  if (!user || user.disabled || user.tokenEpoch !== record.tokenEpoch) return undefined
  const isOfKey = keyName === undefined || (key !== undefined && record.departures === departuresOf(user, key).departures)
  if (!isOfKey) return undefined
  if (sessions) await noteUse({ sessions, clock }, record, user)
  return { user, ...(key && { keyId: key.keyId }) }
}

/** Ignores failed writes: they must not fail the request. */
async function noteUse(
  { sessions, clock }: { sessions: SessionTable; clock: Clock },
  { pk, sk, used }: TokenRecord,
  user: UserRecord,
): Promise<void> {
  const now = Math.floor(clock.now() / 1000)
  if (now < used + SEEN_EVERY_SECONDS) return
  // The condition keeps this from restoring a token that ended meanwhile.
  await sessions.update({ pk, sk }, { set: { used: now } }, { pk: { exists: true } }).catch(ignoreFailedWrite)
  await noteSeen({ table: sessions, clock }, user)
}

/** How often the user has left the company of a key. Empty if never. */
function departuresOf(user: UserRecord, key: KeyRecord | undefined): Pick<TokenRecord, 'departures'> {
  const departures = key && user.departures?.[key.companyId]
  return departures === undefined ? {} : { departures }
}

/** Ends a token. Idempotent. */
export async function endToken({ table }: { table: Table }, token: string): Promise<void> {
  await table.delete(tokenKey(token))
}

/** Finds user and key among the read items, which lack missing ones. */
function userAndKey(userId: UserId) {
  const { pk } = userKey(userId)
  return (items: Key[]) =>
    [items.find((item) => item.pk === pk), items.find((item) => item.pk !== pk)] as [UserRecord | undefined, KeyRecord | undefined]
}
