import type { Clock } from '../../backends/clock/port.ts'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { networksOf } from '../../network.ts'
import { Unauthorized } from '../errors.ts'
import type { KeyRecord } from './api-keys.ts'
import { authenticateApplication, type HmacCredentials } from './applications.ts'
import { inTurn } from './hashing-turns.ts'
import { verifyPassword } from './passwords.ts'
import { refuseAfterFailures, reserveAttempt } from './sign-in-attempts.ts'
import { findUserByName, foldUsername, type UserRecord } from './users.ts'

/**
 * Checks a user's password together with an application's HMAC. Whatever is wrong gives one and the same error after the same work.
 * @throws Unauthorized (`wrong_credentials`, `clock_skew`), TooManyAttempts, Busy
 */
export async function signIn(
  library: { table: Table; apiSecretsKey: Secrets<'apiSecretsKey'>; clock: Clock },
  credentials: HmacCredentials & { username: string; password: string },
  address: string,
): Promise<{ user: UserRecord; key: KeyRecord }> {
  const { username, password } = credentials
  const attempt = { username, address }
  await refuseAfterFailures(library, attempt)
  const key = await authenticateApplication(library, credentials)
  const user = await findUserByName(library, username)
  const mayBeRight = key !== undefined && user !== undefined && !user.disabled
  const identity = JSON.stringify([networksOf(address)[0], foldUsername(username), user?.passwordHash, password, mayBeRight])
  const check = async () => {
    const reservation = await reserveAttempt(library, attempt)
    let matches = false
    try {
      matches = (await verifyPassword(password, user?.passwordHash)) && mayBeRight
    } finally {
      await reservation.settle(matches)
    }
    return matches
  }
  const isRight = await once(identity, () => inTurn(address, check))
  if (!isRight || !key || !user) throw new Unauthorized('Wrong username, password, key or hmac.', 'wrong_credentials')
  return { user, key }
}

/** Checks that run, by the identity of the sign-in. */
const underway = new Map<string, Promise<boolean>>()

/**
 * Identical sign-ins that arrive while one is being checked wait for it: if it was right, so are they, and nothing is hashed or counted
 * once more. (Applications sign in on every page they serve, many at once.) If it was wrong each is an attempt of its own; what it
 * throws holds for all.
 */
async function once(identity: string, check: () => Promise<boolean>): Promise<boolean> {
  for (let other = underway.get(identity); other; other = underway.get(identity)) if (await other) return true
  const own = check().finally(() => underway.delete(identity))
  underway.set(identity, own)
  return own
}
