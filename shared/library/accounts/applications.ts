import type { Clock } from '../../backends/clock/port.ts'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { Reading } from '../library.ts'
import { findKey, type KeyRecord } from './api-keys.ts'
import { decryptApiSecret } from './api-secrets.ts'
import { clockSkew, verifyApplicationHmac } from './hmac.ts'

export interface HmacCredentials {
  key: string
  /** UNIX seconds */
  ts: number
  hmac: string
}

interface Authenticating extends Reading {
  apiSecretsKey: Secrets<'apiSecretsKey'>
  clock: Clock
}

/**
 * Authenticates an application by its HMAC. Undefined for a wrong one.
 * @throws Unauthorized (`clock_skew`) when its clock is off, for unknown keys too
 */
export async function authenticateApplication(library: Authenticating, credentials: HmacCredentials): Promise<KeyRecord | undefined> {
  const skew = clockSkew(credentials.ts, library.clock.now())
  if (skew) throw skew
  const record = await findKey(library, credentials.key)
  // An unknown key takes the same computation as a wrong HMAC.
  const secret = record ? await decryptApiSecret(library, record.key, record.encryptedSecret) : 'no such key'
  const valid = verifyApplicationHmac(secret, credentials)
  return record && valid ? record : undefined
}
