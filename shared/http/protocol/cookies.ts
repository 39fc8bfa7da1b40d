import { SESSION_SECONDS } from '../../library/accounts/sessions.ts'
import { SIGN_ON_SECONDS } from '../../library/accounts/sign-ons.ts'

/** A cookie that scripts can't read. */
export interface Cookie {
  name: string
  /** Letters, digits, `_` and `-` only. Empty where the browser is to forget it. */
  value: string
  /** It is for addresses below this path; absent for those of the whole host. */
  path?: string
  /** Default `Lax`: the cookie is sent when somebody follows a link or redirect from elsewhere, and with no other request of another site. */
  sameSite?: 'Strict' | 'Lax'
  /** How long the browser keeps it, in seconds; absent for as long as it runs. */
  seconds?: number
}

/** The name under which a cookie of the whole host is sent. By HTTPS browsers take `__Host-` from this very host alone, never from a neighbouring one. */
export function hostCookieName(name: string, overTls: boolean): string {
  return overTls ? `__Host-${name}` : name
}

/** Value of `Set-Cookie`. @param overTls whether clients reach the API by TLS */
export function cookieText({ name, value, path, sameSite = 'Lax', seconds }: Cookie, overTls: boolean): string {
  return [
    `${path === undefined ? hostCookieName(name, overTls) : name}=${value}`,
    `Path=${path ?? '/'}`,
    ...(overTls ? ['Secure'] : []),
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
  ].join('; ')
}

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
