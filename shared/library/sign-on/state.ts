import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { ProviderId } from '../../vocabulary/ids.ts'
import { decryptApiSecret, encryptApiSecret } from '../accounts/api-secrets.ts'
import { SIGN_ON_SECONDS } from '../accounts/sign-ons.ts'

interface Sealing {
  apiSecretsKey: Secrets<'apiSecretsKey'>
  clock: Clock
}

/** A sign-on that was begun. The provider sends it back, so nothing is stored meanwhile. */
export interface SignOnState {
  providerId: ProviderId
  /** Path of the page of the console to go to then. */
  returnTo: string
}

/** A secret of one browser, by which its sign-ons are known: 32 random bytes in base64url. */
export const newBrowserSecret = () => randomBytes(32).toString('base64url')
export const isBrowserSecret = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text)

/** Binds a state to its browser: nobody else's cookie opens it. */
const nameOf = (browser: string) => `sign-on of ${browser}`

/** Seals a state for a browser, for an hour. @returns base64url */
export async function sealState(library: Sealing, browser: string, { providerId, returnTo }: SignOnState): Promise<string> {
  const until = library.clock.now() + SIGN_ON_SECONDS * 1000
  const sealed = await encryptApiSecret(library, nameOf(browser), JSON.stringify([providerId, returnTo, until]))
  return Buffer.from(sealed, 'base64').toString('base64url')
}

/** @returns undefined for a state that is none, of another browser, or too old */
export async function openState(library: Sealing, browser: string, state: string): Promise<SignOnState | undefined> {
  const sealed = Buffer.from(state, 'base64url').toString('base64')
  const text = await decryptApiSecret(library, nameOf(browser), sealed).catch(() => undefined)
  if (text === undefined) return undefined
  const [providerId, returnTo, until] = JSON.parse(text) as [ProviderId, string, number]
  return until > library.clock.now() ? { providerId, returnTo } : undefined
}

/** The other secrets of one sign-on, derived from the browser's secret, so the state need not hold them. */
export function derivedSecrets(browser: string, state: string): { nonce: string; verifier: string } {
  const derive = (purpose: string) => createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url')
  return { nonce: derive('nonce'), verifier: derive('verifier') }
}
