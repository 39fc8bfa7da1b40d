import { SESSION_SECONDS } from '../library/accounts/sessions.ts'

/** A 200 that gives the browser a session, or takes it away. Made by the functions below. */
export class SessionAnswer<Body = unknown> {
  readonly body: Body
  /** Of the session that begins; undefined where it ends. */
  readonly secret: string | undefined
  constructor(body: Body, secret: string | undefined) {
    this.body = body
    this.secret = secret
  }
}

/** A 200 with the cookie of a new session. */
export function sessionBegun<Body>(body: Body, secret: string): SessionAnswer<Body> {
  return new SessionAnswer(body, secret)
}

/** A 200 that makes the browser forget its session. */
export function sessionEnded<Body>(body: Body): SessionAnswer<Body> {
  return new SessionAnswer(body, undefined)
}

/** `__Host-`: browsers take it by HTTPS from this very host alone, never from a neighbouring one. */
export function sessionCookieName(overTls: boolean): string {
  return overTls ? '__Host-session' : 'session'
}

/** Value of `Set-Cookie`. @param overTls whether clients reach the API by TLS */
export function sessionCookie({ secret }: Pick<SessionAnswer, 'secret'>, overTls: boolean): string {
  const value = `${sessionCookieName(overTls)}=${secret ?? ''}`
  const age = secret === undefined ? 0 : SESSION_SECONDS
  return [value, 'Path=/', ...(overTls ? ['Secure'] : []), 'HttpOnly', 'SameSite=Strict', `Max-Age=${age}`].join('; ')
}
