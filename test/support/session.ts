import assert from 'node:assert/strict'
import type { Service } from './service.ts'

/** A browser that is signed in, on a page of the service's own host. */
export interface Browser {
  /** Value of the `Cookie` header. */
  cookie: string
  csrf: string
  /** As the service said it at the sign-in. */
  expires: string
  /** Headers of a request that a page of the service's own host sends. */
  headers: Record<string, string>
  get(path: string): Promise<Response>
}

/** The cookie that an answer sets, as browsers send it back. */
export function cookieOf(response: Response): string {
  const [cookie = ''] = response.headers.getSetCookie()
  return cookie.split(';')[0]!
}

/** Signs in as a browser does. */
export async function signInBrowser(service: Service, { username, password }: { username: string; password: string }): Promise<Browser> {
  const page = { 'sec-fetch-site': 'same-origin' }
  const response = await service.request('/session', { method: 'POST', headers: page, body: JSON.stringify({ username, password }) })
  assert.equal(response.status, 200)
  const { csrf, expires } = (await response.json()) as { csrf: string; expires: string }
  const headers = { ...page, cookie: cookieOf(response), 'x-csrf': csrf }
  const { cookie } = headers
  return { cookie, csrf, expires, headers, get: (path) => service.request(path, { headers: { ...page, cookie } }) }
}
