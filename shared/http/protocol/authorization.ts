import type { HmacCredentials } from '../../library/accounts/applications.ts'

/** The credentials in an authorization value, not yet checked. */
export type Authorization = { scheme: 'token'; token: string } | ({ scheme: 'hmac' } & HmacCredentials)

/** Schemes of the `Authorization` header, behind the brand and a hyphen. */
export type AuthorizationScheme = 'SIMPLE-TOKEN' | 'HMAC'

/** Characters of the longest authorization value that is parsed. */
const MAX_LENGTH = 2_000

/**
 * Parses `<brand>-SIMPLE-TOKEN Token=…` and `<brand>-HMAC Key=… HMAC=… TS=…`: scheme and parameter names in any case, parameters
 * in any order, separated by spaces or commas. @returns undefined for any other value
 */
export function parseAuthorization(value: string, brand: string): Authorization | undefined {
  if (value.length > MAX_LENGTH) return undefined
  const [scheme, ...parts] = value.trim().split(/[\s,]+/)
  const params = new Map(parts.map((part) => splitParam(part)))
  switch (scheme?.toUpperCase()) {
    case `${brand}-SIMPLE-TOKEN`: {
      const token = params.get('token')
      return token ? { scheme: 'token', token } : undefined
    }
    case `${brand}-HMAC`: {
      const [key, hmac, ts] = [params.get('key'), params.get('hmac'), params.get('ts')]
      return key && hmac && ts && /^\d{1,12}$/.test(ts) ? { scheme: 'hmac', key, hmac, ts: Number(ts) } : undefined
    }
    default:
      return undefined
  }
}

/**
 * Value of `WWW-Authenticate`: the schemes that an endpoint takes. Browsers know none of them, so none asks its user for a password.
 */
export function challenge(brand: string, schemes: readonly AuthorizationScheme[]): string {
  return schemes.map((scheme) => `${brand}-${scheme}`).join(', ')
}

/** The message for an authorization value that `parseAuthorization()` can't parse. It shows the right form. */
export function misunderstood(value: string, brand: string, schemes: readonly AuthorizationScheme[]): string {
  const [scheme] = schemes
  const example = scheme === 'HMAC' ? `${brand}-HMAC Key=<key> HMAC=<hmac> TS=<ts>` : `${brand}-SIMPLE-TOKEN Token=<token>`
  if (value.trim() === '') return `Authorization is missing: send "Authorization: ${example}".`
  // Letters only: a value without a scheme may be a secret, which no answer repeats.
  const [, given] = /^\s*([a-z][a-z-]{0,29})(?:\s|$)/i.exec(value) ?? []
  const isOther = given !== undefined && !schemes.some((known) => given.toUpperCase() === `${brand}-${known}`)
  return `Authorization must be "${example}"${isOther ? `, not ${given}` : ''}.`
}

/** The first `=` separates name and value, because tokens may hold `=`. Quotes around a value are removed. */
function splitParam(part: string): [string, string] {
  const at = part.indexOf('=')
  const value = part.slice(at + 1).replace(/^"(.*)"$/, '$1')
  return at < 0 ? ['', part] : [part.slice(0, at).toLowerCase(), value]
}
