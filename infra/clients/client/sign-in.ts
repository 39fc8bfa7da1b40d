import { callsOf } from './calls.ts'
import { MediaLibrary } from './media-library.ts'

export interface Service {
  /** Address of the service, such as `https://media.example.com`. */
  url: string
  /** The operator's `BRAND`, where the service has one of its own. */
  brand?: string
  /** How often a request is tried: by default 5 times, and 15 times for an upload. */
  tries?: number
}

export interface Credentials {
  username: string
  password: string
  /** An application's key and its secret. Programs of the library itself sign in without. */
  key?: string
  secret?: string
}

/** Signs in with a username and a password. @throws MediaLibraryError 401 for wrong ones */
export async function signIn(service: Service, { username, password, key, secret }: Credentials): Promise<MediaLibrary> {
  const calls = callsOf({ baseUrl: service.url, headers: {}, tries: service.tries })
  if (key === undefined || secret === undefined) {
    const answer = await calls.post('/session', { body: { username, password, token: true } })
    return withToken(service, 'token' in answer ? answer.token : '')
  }
  const ts = Math.floor(Date.now() / 1000)
  const hmac = await hmacSha1(secret, `${key}:${ts}`)
  const { token } = await calls.post('/authenticate/userpasshmac', { body: { username, password, key, ts, hmac } })
  return withToken(service, token)
}

/** The library with a token of an earlier `signIn`. Asks the service nothing. */
export function withToken({ url, brand = 'SVC', tries }: Service, token: string): MediaLibrary {
  return new MediaLibrary({ baseUrl: url, headers: { authorization: `${brand}-SIMPLE-TOKEN Token=${token}` }, tries, token })
}

/**
 * The library with the session of this page, which must be of the service's own host.
 * @throws MediaLibraryError 401 where nobody is signed in
 */
export async function withSession({ url, tries }: Service): Promise<MediaLibrary> {
  const { csrf } = await callsOf({ baseUrl: url, headers: {}, tries }).get('/session')
  return new MediaLibrary({ baseUrl: url, headers: { 'X-Csrf': csrf }, tries })
}

async function hmacSha1(secret: string, message: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, bytes(message))
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
