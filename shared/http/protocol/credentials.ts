import { isCsrfOf } from '../../library/accounts/sessions.ts'
import { hostCookieName, SESSION_COOKIE, SIGN_ON_COOKIE } from './cookies.ts'
import { type ApiEvent, header, headerValues, type Kernel } from './exchange.ts'
import { isOverTls, viewerOf } from './viewer.ts'

/** The credentials that a request carries, unchecked. */
export interface Credentials {
  /** Value of the `Authorization` header, else of the query parameter, which only GET requests may use. It may be empty. */
  authorization: string | undefined
  /**
   * Secret in the session's cookie. `refused` where the request may come from a page of another site, or lacks `X-Csrf`: browsers send cookies
   * whatever page makes them send a request.
   */
  session: { secret: string } | 'refused' | undefined
  /** Secret of a browser that signs on at a provider, from where it comes back: it counts whatever page sent it. */
  signOn: string | undefined
  /** Whether headers that browsers send tell of another page than our own. */
  isCrossSite: boolean
  /** Value of another cookie. Undefined also where two of the name differ. */
  cookie(name: string): string | undefined
}

/** The one place that reads who a request says it is from. */
export function credentialsOf(event: ApiEvent, kernel: Pick<Kernel, 'baseUrl' | 'originKeyHashes'>): Credentials {
  const overTls = isOverTls(kernel)
  const secret = cookieIn(event, hostCookieName(SESSION_COOKIE, overTls))
  const sender = senderOf(event, kernel)
  return {
    authorization: authorizationIn(event),
    session: secret === undefined ? undefined : countsHere(event, sender, secret) ? { secret } : 'refused',
    signOn: cookieIn(event, hostCookieName(SIGN_ON_COOKIE, overTls)),
    isCrossSite: sender === 'other',
    cookie: (name) => cookieIn(event, name),
  }
}

function authorizationIn(event: ApiEvent): string | undefined {
  const fromHeader = header(event, 'authorization')
  if (fromHeader !== undefined) return fromHeader
  const query = event.queryStringParameters ?? {}
  const parameter = event.httpMethod === 'GET' ? (query.Authorization ?? query.authorization) : undefined
  return parameter ? decodeQueryAuthorization(parameter) : undefined
}

/** The `Authorization` query parameter: base64 (either alphabet, padded or not) of the whole header value. */
export function decodeQueryAuthorization(parameter: string): string {
  // A client that doesn't encode the `+` of the base64 alphabet sends a space.
  return Buffer.from(parameter.replaceAll(' ', '+'), 'base64').toString('utf8')
}

/** Whether a session's cookie counts: a page of our own sent it, and where the request may change something it repeats `csrf`. */
function countsHere(event: ApiEvent, sender: Sender, secret: string): boolean {
  const isReading = event.httpMethod === 'GET' || event.httpMethod === 'HEAD'
  if (isReading) return sender !== 'other'
  const [csrf, ...others] = headerValues(event, 'x-csrf')
  return sender === 'own' && csrf !== undefined && others.length === 0 && isCsrfOf(secret, csrf)
}

/** The sender of a request: a page of this service, anything else in a browser, or unknown. */
type Sender = 'own' | 'other' | 'unknown'

/**
 * Browsers say it in `Sec-Fetch-Site`, which no page can set: on HTTPS and loopback. Where it is missing `Origin` says it, which browsers send
 * with everything but GET and HEAD. More than one value is never sent by a browser.
 */
function senderOf(event: ApiEvent, kernel: Pick<Kernel, 'baseUrl' | 'originKeyHashes'>): Sender {
  const sites = headerValues(event, 'sec-fetch-site')
  if (sites.length > 0) return sites.length === 1 && sites[0] === 'same-origin' ? 'own' : 'other'
  const origins = headerValues(event, 'origin')
  if (origins.length === 0) return 'unknown'
  return origins.length === 1 && ownOrigins(event, kernel).includes(origins[0]) ? 'own' : 'other'
}

/** Origins of the API's own pages: of its address, and on one machine of the host that was asked, which may have several names. */
function ownOrigins(event: ApiEvent, kernel: Pick<Kernel, 'baseUrl' | 'originKeyHashes'>): (string | undefined)[] {
  const { protocol, origin } = new URL(viewerOf(event, kernel).baseUrl)
  const host = kernel.baseUrl === undefined ? undefined : header(event, 'host')
  return [origin, host === undefined ? undefined : URL.parse(`${protocol}//${host}`)?.origin]
}

/** Undefined also where two cookies of the name differ: a page of a neighbouring host may have set one. */
function cookieIn(event: ApiEvent, name: string): string | undefined {
  const pairs = headerValues(event, 'cookie').flatMap((value) => value.split(';'))
  const values = new Set(pairs.flatMap((pair) => (pair.trimStart().startsWith(`${name}=`) ? [pair.trim().slice(name.length + 1)] : [])))
  return values.size === 1 ? [...values][0] : undefined
}
