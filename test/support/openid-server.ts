import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { listening } from './listening.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** What one sign-on at the server answers, for tests to make it wrong. */
interface Issued {
  claims: JWTPayload
  key: KeyPair
  header: { alg: string; kid: string; typ?: string }
}

/** A small provider of OpenID Connect: code with PKCE, one client, one person at a time. */
export interface OpenIdServer extends AsyncDisposable {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs on: `sub` and other claims of the ID token. */
  person: JWTPayload & { sub: string }
  /** Changes its metadata. */
  metadata: Record<string, unknown>
  /** Claims that only the UserInfo endpoint tells. */
  userInfo: Record<string, unknown>
  /** Changes an ID token before it is signed. */
  tamper: ((issued: Issued) => void | Promise<void>) | undefined
  /** Answers instead; undefined to answer as it should. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** Seconds by which its clock is ahead. */
  ahead: number
  /** Seconds by which a test has moved all clocks. */
  passed: number
  /** Requests so far: `GET /jwks`. */
  requests: string[]
  /** New keys; the former ones are gone. */
  rotate(): Promise<void>
  /** The person agrees to what an address at the server asks for. @returns where the browser is sent */
  agree(url: string): Promise<string>
  /** A logout token, as the server would post it. */
  logoutToken(claims: JWTPayload, tamper?: OpenIdServer['tamper']): Promise<string>
}

export async function startOpenIdServer(): Promise<OpenIdServer> {
  const codes = new Map<string, URLSearchParams>()
  const accessTokens = new Set<string>()
  let [kid, key] = [randomUUID(), await generateKeyPair('ES256', { extractable: true })]
  const now = () => Math.floor(Date.now() / 1000) + server.passed + server.ahead

  async function sign(claims: JWTPayload, change?: OpenIdServer['tamper']): Promise<string> {
    const issued = { claims, key, header: { alg: 'ES256', kid } }
    await change?.(issued)
    return new SignJWT(issued.claims).setProtectedHeader(issued.header).sign(issued.key.privateKey)
  }

  async function token(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const form = new URLSearchParams(await text(request))
    const credentials = new URLSearchParams({ [server.clientId]: server.clientSecret }).toString().replace('=', ':')
    const expected = `Basic ${Buffer.from(credentials).toString('base64')}`
    if (request.headers.authorization !== expected) return { status: 401, body: { error: 'invalid_client' } }
    const asked = codes.get(form.get('code') ?? '')
    // Good once.
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isTheirs = asked?.get('redirect_uri') === form.get('redirect_uri') && asked?.get('code_challenge') === challenge
    if (!asked || !isTheirs) return { status: 400, body: { error: 'invalid_grant' } }
    const standard = { iss: server.issuer, aud: server.clientId, iat: now(), exp: now() + 60, nonce: asked.get('nonce') ?? '' }
    const access_token = randomUUID()
    accessTokens.add(access_token)
    const id_token = await sign({ ...standard, ...server.person }, server.tamper)
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 60, id_token } }
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            issuer: server.issuer,
            authorization_endpoint: `${server.issuer}/authorize`,
            token_endpoint: `${server.issuer}/token`,
            userinfo_endpoint: `${server.issuer}/userinfo`,
            jwks_uri: `${server.issuer}/jwks`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['ES256'],
            code_challenge_methods_supported: ['S256'],
            ...server.metadata,
          },
        }
      case '/jwks':
        return { status: 200, body: { keys: [{ ...(await exportJWK(key.publicKey)), kid, alg: 'ES256', use: 'sig' }] } }
      case '/token':
        return token(request)
      case '/userinfo':
        if (!accessTokens.has((request.headers.authorization ?? '').slice('Bearer '.length))) return { status: 401, body: {} }
        return { status: 200, body: { sub: server.person.sub, ...server.userInfo } }
      default:
        return { status: 404, body: {} }
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    server.requests.push(`${request.method} ${request.url}`)
    if (server.instead?.(request, response)) return
    const { status, body } = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const http = createServer((request, response) => void serve(request, response))
  const { url, stop } = await listening(http)
  http.unref()

  const server: OpenIdServer = {
    issuer: url,
    clientId: 'library',
    clientSecret: 'the-secret_of~the+library/=',
    person: { sub: 'anna', email: 'anna@acme.example', email_verified: true, name: 'Anna Berg' },
    metadata: {},
    userInfo: {},
    tamper: undefined,
    instead: undefined,
    ahead: 0,
    passed: 0,
    requests: [],
    async rotate() {
      kid = randomUUID()
      key = await generateKeyPair('ES256', { extractable: true })
    },
    async agree(url) {
      const asked = new URL(url)
      const parameters = asked.searchParams
      const has = (name: string, value: string) => parameters.get(name) === value
      const scopes = (parameters.get('scope') ?? '').split(' ')
      if (!url.startsWith(`${server.issuer}/authorize?`) || !has('client_id', server.clientId) || !has('response_type', 'code')) {
        throw new Error(`no authorization request: ${url}`)
      }
      if (!scopes.includes('openid') || !has('code_challenge_method', 'S256') || !parameters.has('state') || !parameters.has('nonce')) {
        throw new Error(`an authorization request lacks something: ${url}`)
      }
      const code = randomUUID()
      codes.set(code, parameters)
      return `${parameters.get('redirect_uri')}?${new URLSearchParams({ code, state: parameters.get('state')! })}`
    },
    logoutToken(claims, tamper) {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const standard = { iss: server.issuer, aud: server.clientId, iat: now(), exp: now() + 120, jti: randomUUID(), events }
      return sign({ ...standard, ...claims }, tamper)
    },
    [Symbol.asyncDispose]: stop,
  }
  return server
}

/** Settings with which a service asks providers on this machine. */
export const loopbackProviders = { OIDC_HTTP: '1', OIDC_ALLOW: '127.0.0.0/8,::1/128' }

let shared: Promise<OpenIdServer> | undefined
/** One for all who change nothing of it. */
export function sharedOpenIdServer(): Promise<OpenIdServer> {
  shared ??= startOpenIdServer()
  return shared
}
