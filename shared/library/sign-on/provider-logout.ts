import type { Clock } from '../../backends/clock/port.ts'
import type { ProviderLogout } from '../../backends/openid/port.ts'
import { ConditionFailed, type Operations, type Table } from '../../backends/table/port.ts'
import type { ProviderId } from '../../vocabulary/ids.ts'
import { findProvider } from '../accounts/providers.ts'
import { SESSION_SECONDS } from '../accounts/sessions.ts'
import { endKey, findIdentity, identityKey, logoutKey, SIGN_ON_SECONDS, sessionHash } from '../accounts/sign-ons.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Forbidden, Invalid, LibraryError } from '../errors.ts'
import { type Asking, asked } from './outside.ts'

/** Seconds for which a logout is kept: the longest time to finish a sign-on, and the longest session after it. */
const KEPT_SECONDS = SESSION_SECONDS + SIGN_ON_SECONDS

/** A refused logout, in the form for providers (OpenID Connect Back-Channel Logout 1.0, 2.8). */
export class LogoutRefused extends Invalid {
  override readonly details: { error: string; error_description: string }
  constructor(description: string, error: 'invalid_request' | 'temporarily_unavailable' = 'invalid_request') {
    super({ path: '', message: description }, 'logout_refused')
    this.details = { error, error_description: description }
  }
}

/**
 * Ends sessions signed on at a provider, as its logout token says: `sid` names one session, `sub` alone all sessions of the person. Their
 * next request is refused.
 * @throws LogoutRefused, NotFound for an unknown provider
 */
export async function logOutByProvider(
  library: Asking & { table: Table; clock: Clock },
  { providerId, token }: { providerId: ProviderId; token: string },
): Promise<void> {
  const provider = await findProvider(library, providerId)
  const logout = await asked(library, provider, (openId, address) => openId.readLogout(address, token)).catch((error: unknown) => {
    if (!(error instanceof LibraryError)) throw error
    if (error instanceof Forbidden) throw new LogoutRefused(error.message)
    throw new LogoutRefused('The keys of the provider could not be read.', 'temporarily_unavailable')
  })
  await retryOnConflict(() => endSessions(library, providerId, logout))
}

/** @throws LogoutRefused for a token that was used before */
async function endSessions(
  library: { table: Table; clock: Clock },
  providerId: ProviderId,
  { id, subject, sessionId }: ProviderLogout,
): Promise<void> {
  const now = library.clock.now()
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS
  const identity = subject === undefined ? undefined : await findIdentity(library, { providerId, subject })
  const ended = sessionId === undefined ? { endedAt: now } : { unnamedEndedAt: now }
  const steps: Operations = {
    logout: { put: { ...logoutKey(providerId, id), ttl }, if: { pk: { exists: false } } },
    ...(sessionId !== undefined && { session: { put: { ...endKey(providerId, sessionHash(sessionId)), ttl } } }),
    ...(identity && { identity: { update: identityKey(identity), changes: { set: ended }, if: { pk: { exists: true } } } }),
  }
  await library.table.transact(steps).catch((error: unknown) => {
    throw error instanceof ConditionFailed && error.failed('logout') ? new LogoutRefused('The logout token was taken before.') : error
  })
}
