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

/** An answer that gives the browser cookies. Made by `withCookies()`. */
export class WithCookies<Answer = unknown> {
  readonly answer: Answer
  readonly cookies: readonly Cookie[]
  constructor(answer: Answer, cookies: readonly Cookie[]) {
    this.answer = answer
    this.cookies = cookies
  }
}

/** An answer that gives the browser cookies, or takes them away. */
export function withCookies<Answer>(answer: Answer, ...cookies: Cookie[]): WithCookies<Answer> {
  return new WithCookies(answer, cookies)
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
