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

/** A started sign-on. The provider sends it back, so nothing is stored here. */
export interface SignOnState {
  providerId: ProviderId
  /** Path of the console's page to return to. */
  returnTo: string
}

/** A secret that ties sign-ons to one browser: 32 random bytes in base64url. */
export const newBrowserSecret = () => randomBytes(32).toString('base64url')
export const isBrowserSecret = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text)

/** Binds a state to its browser: only that browser's cookie opens it. */
const nameOf = (browser: string) => `sign-on of ${browser}`

/** Encrypts a state for a browser. It is valid for `SIGN_ON_SECONDS`. @returns base64url */
export async function sealState(library: Sealing, browser: string, { providerId, returnTo }: SignOnState): Promise<string> {
  const until = library.clock.now() + SIGN_ON_SECONDS * 1000
  const sealed = await encryptApiSecret(library, nameOf(browser), JSON.stringify([providerId, returnTo, until]))
  return Buffer.from(sealed, 'base64').toString('base64url')
}

/** @returns undefined for a state that is invalid, too old or another browser's */
export async function openState(library: Sealing, browser: string, state: string): Promise<SignOnState | undefined> {
  const sealed = Buffer.from(state, 'base64url').toString('base64')
  const text = await decryptApiSecret(library, nameOf(browser), sealed).catch(() => undefined)
  if (text === undefined) return undefined
  const [providerId, returnTo, until] = JSON.parse(text) as [ProviderId, string, number]
  return until > library.clock.now() ? { providerId, returnTo } : undefined
}

/** Nonce and PKCE verifier of one sign-on, derived from the browser's secret, so that the state need not hold them. */
export function derivedSecrets(browser: string, state: string): { nonce: string; verifier: string } {
  const derive = (purpose: string) => createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url')
  return { nonce: derive('nonce'), verifier: derive('verifier') }
}
