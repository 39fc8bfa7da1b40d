import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client'
import type { Clock } from '../clock/port.ts'
import { outsideAddresses } from '../outside/addresses.ts'
import { type OutsideRequest, outsideFetch } from '../outside/fetch.ts'
import { logoutFailure, providerFailure, redeemFailure } from './failure.ts'
import { LOGOUT_TOKEN_SECONDS, readLogoutToken } from './logout-token.ts'
import { type OpenIdProvider, type OpenIdProviders, ProviderFailed, SignOnInvalid } from './port.ts'

/** Seconds for one request to a provider. */
const TIMEOUT_SECONDS = 5
/** Seconds by which clocks may be apart. */
const TOLERANCE_SECONDS = 20
/** Bytes of the largest answer of a provider. */
const MAX_ANSWER_BYTES = 1024 * 1024

export interface OpenIdOptions {
  clock: Clock
  /** Whether providers may be reached without TLS. */
  http?: boolean
  /** Networks besides the public internet where providers may be. */
  allow?: readonly string[]
}

/**
 * Signs people on by `openid-client`. Metadata and keys are read anew each time: people sign on rarely, and what a provider changes counts at
 * once.
 */
export function openIdClient({ clock, http = false, allow = [] }: OpenIdOptions): OpenIdProviders {
  const send = outsideFetch({ permits: outsideAddresses(allow), maxBytes: MAX_ANSWER_BYTES })

  async function discover({ issuer, clientId, clientSecret }: OpenIdProvider): Promise<Configuration> {
    const metadata = { [clockTolerance]: TOLERANCE_SECONDS, [clockSkew]: Math.round((clock.now() - Date.now()) / 1000) }
    const execute = [enableNonRepudiationChecks, ...(http ? [allowInsecureRequests] : [])]
    const fetch = (url: string, init: object) => send(url, { ...(init as OutsideRequest), from: issuer })
    const options = { [customFetch]: fetch, execute, timeout: TIMEOUT_SECONDS }
    try {
      if (!http && !issuer.startsWith('https:')) throw new ProviderFailed('its address is not https')
      return await discovery(new URL(issuer), clientId, metadata, authentication(clientSecret), options)
    } catch (error) {
      throw error instanceof ProviderFailed ? error : providerFailure(error)
    }
  }

  function keysOf(configuration: Configuration) {
    const { issuer, jwks_uri } = configuration.serverMetadata()
    const url = jwks_uri === undefined ? undefined : URL.parse(jwks_uri)
    if (!url || !(url.protocol === 'https:' || (http && url.protocol === 'http:')))
      throw new ProviderFailed('it names no address of its keys')
    return createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
      [joseFetch]: (address, { headers, ...init }) => send(address, { ...init, from: issuer, headers: Object.fromEntries(headers) }),
    })
  }

  return {
    async startUrl(provider, { callbackUrl, state, nonce, verifier, wantsGroups }) {
      const configuration = await discover(provider)
      const parameters = {
        redirect_uri: callbackUrl,
        scope: scopeFor(configuration.serverMetadata(), wantsGroups),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      try {
        return buildAuthorizationUrl(configuration, parameters).href
      } catch (error) {
        throw providerFailure(error)
      }
    },

    async finish(provider, { callbackUrl, state, nonce, verifier, wantsGroups }, answer) {
      const configuration = await discover(provider)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      try {
        const tokens = await authorizationCodeGrant(configuration, new URL(`${callbackUrl}?${answer}`), checks)
        const idToken = tokens.claims()!
        const { sub, sid, iat } = idToken
        if (iat * 1000 > clock.now() + TOLERANCE_SECONDS * 1000) throw new SignOnInvalid('The clock of the provider is ahead.')
        const more = lacks(idToken, wantsGroups) ? await userInfo(configuration, tokens.access_token, sub) : {}
        return { subject: sub, ...(typeof sid === 'string' && { sessionId: sid }), claims: joined(idToken, more) }
      } catch (error) {
        throw redeemFailure(error)
      }
    },

    async readLogout(provider, token) {
      const logout = readLogoutToken(token, provider)
      const keys = keysOf(await discover(provider))
      const times = { currentDate: new Date(clock.now()), clockTolerance: TOLERANCE_SECONDS, maxTokenAge: LOGOUT_TOKEN_SECONDS }
      await jwtVerify(token, keys, times).catch((error: unknown) => {
        throw logoutFailure(error)
      })
      return logout
    },

    async test(provider) {
      const configuration = await discover(provider)
      const { authorization_endpoint, token_endpoint } = configuration.serverMetadata()
      if (authorization_endpoint === undefined || token_endpoint === undefined)
        throw new ProviderFailed('it names no endpoints for signing on')
      const keys = keysOf(configuration)
      await keys.reload().catch((error: unknown) => {
        throw providerFailure(error)
      })
      return { authorizationEndpoint: authorization_endpoint, keys: keys.jwks()?.keys.length ?? 0 }
    },
  }
}

/**
 * As the provider prefers it: by a header unless it takes the body alone (RFC 6749, 2.3.1). `ClientSecretBasic` of the library escapes `-` and `_`,
 * which no form does, and which providers exist that don't decode.
 */
function authentication(secret: string): ClientAuth {
  const inBody = ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    const takesHeader = methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    if (!takesHeader) return inBody(server, client, body, headers)
    const credentials = [client.client_id, secret].map(formEncoded).join(':')
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
}

const formEncoded = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length)

/** Some providers tell groups only to who asks, others refuse a scope that they don't know. */
function scopeFor({ scopes_supported: known = [] }: ServerMetadata, wantsGroups: boolean): string {
  return ['openid', 'email', 'profile', ...(wantsGroups && known.includes('groups') ? ['groups'] : [])].join(' ')
}

/** Whether an ID token leaves out what the provider may tell elsewhere. */
function lacks(claims: object, wantsGroups: boolean): boolean {
  return !('email' in claims) || (wantsGroups && !('groups' in claims))
}

/** An address and whether it is verified come from the same place. */
function joined(idToken: object, more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!('email' in idToken)) return { ...more, ...idToken }
  return { ...('groups' in more && { groups: more.groups }), ...idToken }
}

/** What the provider tells of the person besides, where it does. */
async function userInfo(configuration: Configuration, accessToken: string, subject: string): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  return fetchUserInfo(configuration, accessToken, subject)
}
