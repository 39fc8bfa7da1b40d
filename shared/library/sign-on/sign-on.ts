import type { Clock } from '../../backends/clock/port.ts'
import type { Table, TableReader } from '../../backends/table/port.ts'
import type { ProviderId } from '../../vocabulary/ids.ts'
import { findProvider, type ProviderRecord } from '../accounts/providers.ts'
import { beginSession } from '../accounts/sessions.ts'
import { sessionHash } from '../accounts/sign-ons.ts'
import { Forbidden } from '../errors.ts'
import { applyGroups } from './groups.ts'
import { type Asking, asked } from './outside.ts'
import { signedOnUser } from './person.ts'
import { derivedSecrets, isBrowserSecret, newBrowserSecret, openState, sealState } from './state.ts'

/**
 * Begins a sign-on of a browser at a provider.
 * @param known the browser's secret, if it has one from another sign-on
 * @returns the address to redirect the browser to, and the browser's secret
 * @throws NotFound, OutsideFailed, OutsideTimedOut
 */
export async function startSignOn(
  library: Asking & { table: TableReader; clock: Clock },
  { providerId, ...signOn }: { providerId: ProviderId; callbackUrl: string; returnTo: string },
  known: string | undefined,
): Promise<{ url: string; browser: string }> {
  const provider = await findProvider(library, providerId)
  const browser = isBrowserSecret(known) ? known : newBrowserSecret()
  const state = await sealState(library, browser, { providerId, returnTo: signOn.returnTo })
  const request = { callbackUrl: signOn.callbackUrl, state, ...derivedSecrets(browser, state), wantsGroups: wantsGroups(provider) }
  return { url: await asked(library, provider, (openId, address) => openId.startUrl(address, request)), browser }
}

/**
 * Finishes a sign-on: the person whom the provider has authenticated gets a session.
 * @param given.answer the query parameters of the provider's redirect
 * @param given.browser the browser's secret
 * @throws Forbidden, NotFound, OutsideFailed, OutsideTimedOut
 */
export async function finishSignOn(
  library: Asking & { table: Table; clock: Clock; requestId: string },
  { answer, callbackUrl, browser }: { answer: URLSearchParams; callbackUrl: string; browser: string | undefined },
): Promise<{ secret: string; returnTo: string }> {
  const state = answer.get('state') ?? ''
  const opened = isBrowserSecret(browser) ? await openState(library, browser, state) : undefined
  if (!opened || !isBrowserSecret(browser)) {
    throw new Forbidden('This sign-on was begun in another browser, or more than an hour ago. Begin it again.', 'sign_on_expired')
  }
  const provider = await findProvider(library, opened.providerId)
  // Read before the provider is asked, so that a logout that arrives meanwhile ends this session, too.
  const began = library.clock.now()
  const request = { callbackUrl, state, ...derivedSecrets(browser, state), wantsGroups: wantsGroups(provider) }
  const signedOn = await asked(library, provider, (openId, address) => openId.finish(address, request, answer))
  const by = { kind: 'provider', providerId: provider.providerId, requestId: library.requestId } as const
  const user = await signedOnUser({ ...library, by }, provider, signedOn)
  await applyGroups({ ...library, by }, provider, user, signedOn.claims)
  const { subject, sessionId } = signedOn
  const session = sessionId === undefined ? {} : { session: sessionHash(sessionId) }
  const { secret } = await beginSession(library, user, { providerId: provider.providerId, subject, ...session, began })
  return { secret, returnTo: opened.returnTo }
}

const wantsGroups = ({ groups }: ProviderRecord): boolean => groups.length > 0
