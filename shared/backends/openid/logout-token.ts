import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { type OpenIdProvider, type ProviderLogout, SignOnInvalid } from './port.ts'

/** Longest age of a logout token in seconds, whatever its `exp`. */
export const LOGOUT_TOKEN_SECONDS = 600

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Parses a provider's logout token (OpenID Connect Back-Channel Logout 1.0, 2.4). Doesn't check its signature and times: a token that isn't
 * meant for this service must not cause requests to the provider.
 * @throws SignOnInvalid
 */
export function readLogoutToken(token: string, { issuer, clientId }: OpenIdProvider): ProviderLogout {
  const { typ = 'JWT', claims } = opened(token)
  const { iss, aud, jti, events, nonce, sub, sid, exp } = claims
  // Some providers set no type or `JWT`. Tokens for other purposes have another type.
  if (!/^(jwt|(application\/)?logout\+jwt)$/i.test(typ)) throw new SignOnInvalid('The token is no logout token.')
  if (iss !== issuer) throw new SignOnInvalid('The logout token is of another issuer.')
  if (![aud].flat().includes(clientId)) throw new SignOnInvalid('The logout token is meant for another client.')
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT)
  // ID tokens have a nonce. They must not pass for logout tokens.
  if (!isLogout || nonce !== undefined) throw new SignOnInvalid('The token is no logout token.')
  if (!isName(jti) || exp === undefined) throw new SignOnInvalid('The logout token lacks jti or exp.')
  const named = [sub, sid].filter((value) => value !== undefined)
  if (named.length === 0 || !named.every(isName)) throw new SignOnInvalid('The logout token names neither sub nor sid.')
  return { id: jti, ...(sub !== undefined && { subject: sub }), ...(isName(sid) && { sessionId: sid }) }
}

function opened(token: string): { typ?: string | undefined; claims: JWTPayload } {
  try {
    return { typ: decodeProtectedHeader(token).typ, claims: decodeJwt(token) }
  } catch (error) {
    throw new SignOnInvalid('The logout token is no JWT.', { cause: error })
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
