import { createRemoteJWKSet, type JSONWebKeySet, customFetch as joseFetch, jwtVerify } from 'jose'
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
  setJwksCache,
} from 'openid-client'
import type { Clock } from '../clock/port.ts'
import { type NamedNetworks, outsideAddresses } from '../outside/addresses.ts'
import { type OutsideRequest, outsideFetch } from '../outside/fetch.ts'
import { logoutFailure, providerFailure, redeemFailure } from './failure.ts'
import { LOGOUT_TOKEN_SECONDS, readLogoutToken } from './logout-token.ts'
import { type OpenIdProvider, type OpenIdProviders, ProviderFailed, SignOnInvalid } from './port.ts'
import { cachedAnswers } from './remembered.ts'

/** Time limit of one request to a provider, in seconds. */
const TIMEOUT_SECONDS = 5
/** Accepted difference of clocks, in seconds. */
const TOLERANCE_SECONDS = 20
/** Age of keys, in seconds, from which `openid-client` reads them again if a token names an unknown key. */
const REREAD_SECONDS = 60
/** Largest answer of a provider, in bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024

export interface OpenIdOptions extends NamedNetworks {
  clock: Clock
  /** Whether providers may be reached without TLS. */
  http?: boolean
}

/** Sends a request to a provider. */
type Send = (address: string, request: Omit<OutsideRequest, 'from'>) => Promise<Response>

/**
 * Signs people on with `openid-client`. Caches metadata and keys for five minutes, because anybody may begin a sign-on or send a logout
 * token. Reads the keys again at once if a token names an unknown key.
 */
export function openIdClient({ clock, http = false, allowed = [], refused = [] }: OpenIdOptions): OpenIdProviders {
  const sendOutside = outsideFetch({ permits: outsideAddresses({ allowed, refused }), maxBytes: MAX_ANSWER_BYTES })
  const remembered = cachedAnswers(sendOutside, clock)

  /** Functions that send requests to a provider: uncached, cached, and cached but renewed once. */
  function sendersTo({ issuer }: OpenIdProvider): Record<'uncached' | 'cached' | 'renewing', Send> {
    const from = issuer
    return {
      uncached: (address, request) => sendOutside(address, { ...request, from }),
      cached: (address, request) => remembered.get(address, { ...request, from }),
      renewing: (address, request) => remembered.renew(address, { ...request, from }),
    }
  }

  /** @param send sends requests for metadata; all later requests are uncached */
  async function discover(provider: OpenIdProvider, send = sendersTo(provider).cached): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = provider
    const metadata = { [clockTolerance]: TOLERANCE_SECONDS, [clockSkew]: Math.round((clock.now() - Date.now()) / 1000) }
    const execute = [enableNonRepudiationChecks, ...(http ? [allowInsecureRequests] : [])]
    const options = { [customFetch]: fetchBy(send), execute, timeout: TIMEOUT_SECONDS }
    try {
      if (!http && !issuer.startsWith('https:')) throw new ProviderFailed('its address is not https')
      const configuration = await discovery(new URL(issuer), clientId, metadata, authentication(clientSecret), options)
      configuration[customFetch] = fetchBy(sendersTo(provider).uncached)
      return configuration
    } catch (error) {
      throw error instanceof ProviderFailed ? error : providerFailure(error)
    }
  }

  /** @param later sends the request that looks for a key missing in the first answer */
  function keysOf(configuration: Configuration, first: Send, later = first) {
    const { jwks_uri } = configuration.serverMetadata()
    const url = jwks_uri === undefined ? undefined : URL.parse(jwks_uri)
    if (!url || !(url.protocol === 'https:' || (http && url.protocol === 'http:')))
      throw new ProviderFailed('it names no address of its keys')
    let send = first
    return createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
      cooldownDuration: 0,
      [joseFetch]: (address, { headers, ...init }) => {
        const sent = send(address, { ...init, headers: Object.fromEntries(headers) })
        send = later
        return sent
      },
    })
  }

  /** @throws ProviderFailed */
  async function readKeys(configuration: Configuration, send: Send): Promise<JSONWebKeySet> {
    const keys = keysOf(configuration, send)
    await keys.reload().catch((error: unknown) => {
      throw providerFailure(error)
    })
    return keys.jwks() ?? { keys: [] }
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
      const keys = await readKeys(configuration, sendersTo(provider).cached)
      // Unnamed keys can't be cached: nothing would show that a key is new.
      if (keys.keys.every(({ kid }) => kid !== undefined)) {
        setJwksCache(configuration, { jwks: keys, uat: Math.floor(Date.now() / 1000) - REREAD_SECONDS })
      }
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      try {
        const tokens = await authorizationCodeGrant(configuration, new URL(`${callbackUrl}?${answer}`), checks)
        const idToken = tokens.claims()!
        const { sub, sid, iat } = idToken
        if (iat * 1000 > clock.now() + TOLERANCE_SECONDS * 1000) throw new SignOnInvalid('The clock of the provider is ahead.')
        const more = lacks(idToken, wantsGroups) ? await userInfo(configuration, tokens.access_token, sub) : {}
        return { subject: sub, ...(typeof sid === 'string' && { sessionId: sid }), claims: mergedClaims(idToken, more) }
      } catch (error) {
        throw redeemFailure(error)
      }
    },

    async readLogout(provider, token) {
      const logout = readLogoutToken(token, provider)
      const { cached, renewing } = sendersTo(provider)
      const keys = keysOf(await discover(provider), cached, renewing)
      const times = { currentDate: new Date(clock.now()), clockTolerance: TOLERANCE_SECONDS, maxTokenAge: LOGOUT_TOKEN_SECONDS }
      await jwtVerify(token, keys, times).catch((error: unknown) => {
        throw logoutFailure(error)
      })
      return logout
    },

    async test(provider) {
      const { uncached } = sendersTo(provider)
      const configuration = await discover(provider, uncached)
      const { authorization_endpoint, token_endpoint } = configuration.serverMetadata()
      if (authorization_endpoint === undefined || token_endpoint === undefined)
        throw new ProviderFailed('it names no endpoints for signing on')
      return { authorizationEndpoint: authorization_endpoint, keys: (await readKeys(configuration, uncached)).keys.length }
    },
  }
}

const fetchBy = (send: Send) => (url: string, init: object) => send(url, init as OutsideRequest)

/**
 * Sends the client secret in a header, unless the provider only accepts it in the body (RFC 6749, 2.3.1). Doesn't use the library's
 * `ClientSecretBasic`: it escapes `-` and `_`, which form encoding doesn't, and some providers don't decode that.
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

/** Some providers only send groups if the scope is requested, others refuse an unknown scope. */
function scopeFor({ scopes_supported: known = [] }: ServerMetadata, wantsGroups: boolean): string {
  return ['openid', 'email', 'profile', ...(wantsGroups && known.includes('groups') ? ['groups'] : [])].join(' ')
}

/** Whether an ID token lacks claims that the userinfo endpoint may have. */
function lacks(claims: object, wantsGroups: boolean): boolean {
  return !('email' in claims) || (wantsGroups && !('groups' in claims))
}

/** Merges claims. `email` and `email_verified` always come from the same source. */
function mergedClaims(idToken: object, more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!('email' in idToken)) return { ...more, ...idToken }
  return { ...('groups' in more && { groups: more.groups }), ...idToken }
}

/** Claims of the userinfo endpoint, if the provider has one. */
async function userInfo(configuration: Configuration, accessToken: string, subject: string): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  return fetchUserInfo(configuration, accessToken, subject)
}
