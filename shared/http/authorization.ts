import type { HmacCredentials } from '../library/accounts/sign-in.ts'

/** What an authorization value claims. */
export type Authorization = { scheme: 'token'; token: string } | ({ scheme: 'hmac' } & HmacCredentials)

/** Longest authorization value looked at. */
const MAX_LENGTH = 2_000

/**
 * Parses `<brand>-SIMPLE-TOKEN Token=…` and `<brand>-HMAC Key=… HMAC=… TS=…`: scheme and parameter names in any case, parameters
 * in any order, separated by spaces or commas. @returns undefined when it is neither
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

/** Tokens may hold `=` themselves: only the first one separates. Quotes around a value are taken off. */
function splitParam(part: string): [string, string] {
  const at = part.indexOf('=')
  const value = part.slice(at + 1).replace(/^"(.*)"$/, '$1')
  return at < 0 ? ['', part] : [part.slice(0, at).toLowerCase(), value]
}

/** The `Authorization` query parameter: base64 (either alphabet, padded or not) of the whole header value. */
export function decodeQueryAuthorization(parameter: string): string {
  // A `+` of the base64 alphabet arrives as a space where a client didn't encode it.
  return Buffer.from(parameter.replaceAll(' ', '+'), 'base64').toString('utf8')
}
