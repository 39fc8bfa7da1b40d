import type { Clock } from '../../backends/clock/port.ts'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { Table, TableReader } from '../../backends/table/port.ts'
import { Unauthorized } from '../errors.ts'
import { findKey, type KeyRecord } from './api-keys.ts'
import { decryptApiSecret } from './api-secrets.ts'
import { verifyApplicationHmac } from './hmac.ts'
import { verifyPassword } from './passwords.ts'
import { checkAttempts, countFailure, forgetFailures } from './sign-in-attempts.ts'
import { findUserByName, type UserRecord } from './users.ts'

export interface HmacCredentials {
  key: string
  /** UNIX seconds */
  ts: number
  hmac: string
}

interface Accounts {
  table: TableReader
  apiSecretsKey: Secrets<'apiSecretsKey'>
  clock: Clock
}

/** Which application presents this HMAC? Undefined when none does. */
export async function authenticateApplication(accounts: Accounts, credentials: HmacCredentials): Promise<KeyRecord | undefined> {
  const { table, apiSecretsKey, clock } = accounts
  const record = await findKey(table, credentials.key)
  // An unknown key takes the same computation as a wrong HMAC.
  const secret = record ? await decryptApiSecret(apiSecretsKey, record.key, record.encryptedSecret) : 'no such key'
  const valid = verifyApplicationHmac(secret, credentials, clock.now())
  return record && valid ? record : undefined
}

/**
 * Checks a user's password together with an application's HMAC. Whatever is wrong gives one and the same error after the same work.
 * @throws Unauthorized, TooManyAttempts
 */
export async function signIn(
  accounts: Accounts & { table: Table },
  credentials: HmacCredentials & { username: string; password: string },
  address: string,
): Promise<{ user: UserRecord; key: KeyRecord }> {
  const { table, clock } = accounts
  const attempt = { username: credentials.username, address }
  await checkAttempts(table, clock, attempt)
  const key = await authenticateApplication(accounts, credentials)
  const user = await findUserByName(table, credentials.username)
  const passwordMatches = await verifyPassword(credentials.password, user?.passwordHash)
  if (!key || !user || user.disabled || !passwordMatches) {
    await countFailure(table, clock, attempt)
    throw new Unauthorized('Wrong username, password, key or hmac.', 'wrong_credentials')
  }
  await forgetFailures(table, clock, attempt)
  return { user, key }
}
