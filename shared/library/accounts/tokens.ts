import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import type { KeyId, UserId } from '../../vocabulary/ids.ts'
import { apiKeyKey, type KeyRecord } from './api-keys.ts'
import { type UserRecord, userKey } from './users.ts'

/** A stored token. Its key has the token's hash, so that the table's contents open nothing. */
type TokenRecord = Key & {
  userId: UserId
  /** Key (public half) of the sign-in. Absent for the library's own programs. */
  key?: string
  tokenEpoch: number
  /** UNIX seconds */
  validUntil: number
  ttl: number
}

const DAY_SECONDS = 86_400

const tokenKey = (token: string): Key => ({ pk: `TOKEN#${hash('sha256', token)}`, sk: 'TOKEN' })

/**
 * Issues a token: 32 random bytes in base64url.
 * @param key of the sign-in, where there was one
 * @returns the token, and its end in UNIX seconds
 */
export async function issueToken(
  { table, clock }: { table: Table; clock: Clock },
  user: UserRecord,
  key: KeyRecord | undefined,
  lifetimeDays: number,
): Promise<{ token: string; validUntil: number }> {
  const token = randomBytes(32).toString('base64url')
  const validUntil = Math.floor(clock.now() / 1000) + lifetimeDays * DAY_SECONDS
  const record: TokenRecord = {
    ...tokenKey(token),
    userId: user.userId,
    ...(key && { key: key.key }),
    tokenEpoch: user.tokenEpoch,
    validUntil,
    ttl: validUntil,
  }
  await table.put(record)
  return { token, validUntil }
}

/** Authenticates by a token. Reads consistently, so that a reset password, a disabled user and a revoked key take effect at once. */
export async function authenticateToken(
  { table, clock }: { table: TableReader; clock: Clock },
  token: string,
): Promise<{ user: UserRecord; keyId?: KeyId } | undefined> {
  if (!/^[\w-]{1,100}$/.test(token)) return undefined
  const record = await table.get<TokenRecord>(tokenKey(token))
  if (!record || record.validUntil * 1000 <= clock.now()) return undefined
  const { userId, key: keyName } = record
  const wanted = [userKey(userId), ...(keyName === undefined ? [] : [apiKeyKey(keyName)])]
  const [user, key] = await table.getMany<Key>(wanted).then(userAndKey(userId))
  if (!user || user.disabled || user.tokenEpoch !== record.tokenEpoch) return undefined
  if (keyName === undefined) return { user }
  return key && { user, keyId: key.keyId }
}

/** Ends a token. */
export async function endToken({ table }: { table: Table }, token: string): Promise<void> {
  await table.delete(tokenKey(token))
}

/** Reads leave missing items out, so each is found by its key. */
function userAndKey(userId: UserId) {
  const { pk } = userKey(userId)
  return (items: Key[]) =>
    [items.find((item) => item.pk === pk), items.find((item) => item.pk !== pk)] as [UserRecord | undefined, KeyRecord | undefined]
}
