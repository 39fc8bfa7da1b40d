import type { Clock } from '../../backends/clock/port.ts'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { networksOf } from '../../network.ts'
import { Forbidden, Unauthorized } from '../errors.ts'
import type { KeyRecord } from './api-keys.ts'
import { authenticateApplication, type HmacCredentials } from './applications.ts'
import { inTurn } from './hashing-turns.ts'
import { maySignInByPassword } from './password-sign-in.ts'
import { verifyPassword } from './passwords.ts'
import { refuseAfterFailures, reserveAttempt } from './sign-in-attempts.ts'
import { findUserByName, foldUsername, type UserRecord } from './users.ts'

interface Password {
  username: string
  password: string
}

/**
 * Checks a user's password together with an application's HMAC. Every mistake gives the same error after the same work.
 * @throws Unauthorized (`wrong_credentials`, `clock_skew`), Forbidden (`password_sign_in_off`), TooManyAttempts, Busy
 */
export async function signIn(
  library: { table: Table; apiSecretsKey: Secrets<'apiSecretsKey'>; clock: Clock },
  credentials: HmacCredentials & Password,
  address: string,
): Promise<{ user: UserRecord; key: KeyRecord }> {
  await refuseAfterFailures(library, { username: credentials.username, address })
  const key = await authenticateApplication(library, credentials)
  const user = await userWith(library, credentials, { address, mayBeRight: key !== undefined })
  if (!key || !user) throw new Unauthorized('Wrong username, password, key or hmac.', 'wrong_credentials')
  await requirePasswordSignIn(library, user)
  return { user, key }
}

/**
 * Checks a user's password without an application's key: for the library's own pages and programs. Failures count with those of `signIn()`.
 * @throws Unauthorized (`wrong_credentials`), Forbidden (`password_sign_in_off`), TooManyAttempts, Busy
 */
export async function signInByPassword(library: { table: Table; clock: Clock }, given: Password, address: string): Promise<UserRecord> {
  const user = await userOfPassword(library, given, address)
  if (!user) throw new Unauthorized('Wrong username or password.', 'wrong_credentials')
  await requirePasswordSignIn(library, user)
  return user
}

/**
 * The user with this name and password. Failures count with those of sign-in.
 * @returns undefined if either is wrong, or the user is disabled
 * @throws TooManyAttempts, Busy
 */
export async function userOfPassword(
  library: { table: Table; clock: Clock },
  given: Password,
  address: string,
): Promise<UserRecord | undefined> {
  await refuseAfterFailures(library, { username: given.username, address })
  return userWith(library, given, { address, mayBeRight: true })
}

/** Called only after the password was right, so that a company's policy isn't leaked to guessers. @throws Forbidden */
async function requirePasswordSignIn(library: { table: Table }, user: UserRecord): Promise<void> {
  if (await maySignInByPassword(library, user)) return
  throw new Forbidden('Your company signs in at its provider, and not by password.', 'password_sign_in_off')
}

/** @param sign mayBeRight: false if something else is wrong already. The work is the same then @throws TooManyAttempts, Busy */
async function userWith(
  library: { table: Table; clock: Clock },
  { username, password }: Password,
  sign: { address: string; mayBeRight: boolean },
): Promise<UserRecord | undefined> {
  const { address } = sign
  const user = await findUserByName(library, username)
  const mayBeRight = sign.mayBeRight && user !== undefined && !user.disabled
  const identity = JSON.stringify([networksOf(address)[0], foldUsername(username), user?.passwordHash, password, mayBeRight])
  const check = async () => {
    const reservation = await reserveAttempt(library, { username, address })
    let matches = false
    try {
      matches = (await verifyPassword(password, user?.passwordHash)) && mayBeRight
    } finally {
      await reservation.report(matches)
    }
    return matches
  }
  return (await once(identity, () => inTurn(address, check))) ? user : undefined
}

/** Running checks, by the identity of the sign-in. */
const running = new Map<string, Promise<boolean>>()

/**
 * Shares a successful check among identical concurrent sign-ins, because applications sign in on every page they serve. Shares errors too.
 * A wrong password isn't shared: each sign-in counts as an attempt of its own.
 */
async function once(identity: string, check: () => Promise<boolean>): Promise<boolean> {
  for (let other = running.get(identity); other; other = running.get(identity)) if (await other) return true
  const own = check().finally(() => running.delete(identity))
  running.set(identity, own)
  return own
}
