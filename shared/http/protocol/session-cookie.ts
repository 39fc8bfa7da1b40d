import { SESSION_SECONDS } from '../../library/accounts/sessions.ts'
import { SIGN_ON_SECONDS } from '../../library/accounts/sign-ons.ts'
import type { Cookie } from './cookies.ts'

export const SESSION_COOKIE = 'session'
export const SIGN_ON_COOKIE = 'sign-on'

/** Secret of a session; undefined where it ends. */
export function sessionCookie(secret: string | undefined): Cookie {
  return { name: SESSION_COOKIE, value: secret ?? '', sameSite: 'Strict', seconds: secret === undefined ? 0 : SESSION_SECONDS }
}

/** Secret of a browser whose user is at a provider to sign on, from where a redirect brings them back; undefined once they have. */
export function signOnCookie(secret: string | undefined): Cookie {
  return { name: SIGN_ON_COOKIE, value: secret ?? '', seconds: secret === undefined ? 0 : SIGN_ON_SECONDS }
}
