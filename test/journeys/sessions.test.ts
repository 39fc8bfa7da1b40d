import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { disableUser } from '../../shared/library/accounts/admins.ts'
import { enableUser, setPassword } from '../../shared/library/accounts/users.ts'
import { freePort } from '../support/aws/free-port.ts'
import { images } from '../support/pictures/index.ts'
import { elsewhere, startService } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { type Browser, cookieOf, signInBrowser } from '../support/session.ts'
import { uploadAndImport } from '../support/uploading.ts'

const HOURS = 3600

describe('sessions', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const own = { 'sec-fetch-site': 'same-origin' }
  /** Name and attribute that cookies have where clients come by TLS. */
  const [name, secure] = service.stack === undefined ? ['session', []] : ['__Host-session', ['Secure']]
  const post = (body: unknown, headers: Record<string, string> = own) =>
    service.request('/session', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })
  const signedIn = async () => {
    const user = await person()
    return { ...user, browser: await signInBrowser(service, user) }
  }
  const status = async (response: Promise<Response>) => (await response).status
  const code = async (response: Promise<Response>) => ((await (await response).json()) as { code: string }).code
  /** A change that this browser asks for. */
  const makeFolder = (headers: Record<string, string>, body = JSON.stringify({ name: 'Made in a session' })) =>
    service.request('/folder', { method: 'POST', headers, body })

  describe('begin', () => {
    test('with a cookie that no script reads, and what a page needs to know', async () => {
      const { username, userId, password } = await person()
      const response = await post({ username, password })
      assert.equal(response.status, 200)
      const body = (await response.json()) as Record<string, unknown>
      assert.deepEqual(Object.keys(body), ['user_id', 'username', 'fullname', 'company_ids', 'csrf', 'expires'])
      const { company_id } = service.demo
      expect(body).toMatchObject({ user_id: userId, username, fullname: username, company_ids: [company_id] })
      assert.match(String(body.csrf), /^[\w-]{43}$/)
      assert.match(String(body.expires), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      const attributes = response.headers.getSetCookie().map((cookie) => cookie.split('; '))
      assert.equal(attributes.length, 1)
      const [pair, ...rest] = attributes[0]!
      assert.match(pair!, new RegExp(`^${name}=[\\w-]{43}$`))
      assert.deepEqual(rest, ['Path=/', ...secure, 'HttpOnly', 'SameSite=Strict', 'Max-Age=604800'])
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(response.headers.get('access-control-allow-credentials'), null)
    })

    test('anew each time: a cookie that was there before stays another session', async () => {
      const { browser, username, password } = await signedIn()
      const again = await post({ username, password }, { ...own, cookie: browser.cookie })
      assert.notEqual(cookieOf(again), browser.cookie)
    })

    test('not for pages of other sites, which is no failed attempt', async () => {
      const { username, password } = await person()
      const { protocol, host } = new URL(service.baseUrl)
      const strangers: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'same-origin, cross-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${protocol === 'https:' ? 'http:' : 'https:'}//${host}` },
        { origin: `${protocol}//sub.${host}` },
      ]
      for (const headers of [...strangers, ...strangers]) {
        const refused = await post({ username, password: 'wrong' }, { ...headers, 'content-type': 'text/plain' })
        assert.deepEqual([refused.status, await code(Promise.resolve(refused))], [403, 'cross_site'], JSON.stringify(headers))
        assert.equal(refused.headers.get('set-cookie'), null)
      }
      assert.equal(await status(post({ username, password })), 200)
    })

    test('with the same 401 whatever is wrong, whose failures count with those of sign-in', async () => {
      const victim = await person()
      for (const wrong of [
        { username: victim.username, password: 'wrong' },
        { username: 'nobody at all', password: 'x' },
      ]) {
        const refused = await post(wrong)
        assert.deepEqual([refused.status, await code(Promise.resolve(refused))], [401, 'wrong_credentials'])
      }
      for (let n = 0; n < 4; n++) assert.equal(await status(post({ username: victim.username, password: 'wrong', token: true })), 401)
      for (let n = 0; n < 5; n++) await assert.rejects(service.signIn({ username: victim.username, password: 'wrong' }), /401/)
      const refused = await post({ username: victim.username, password: victim.password })
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      await assert.rejects(service.signIn({ username: victim.username, password: victim.password }), /429/)
    })

    test('not for disabled users, and not by a body that is no JSON object', async () => {
      const user = await person()
      await disableUser(accounts.library, user.userId)
      assert.equal(await status(post({ username: user.username, password: user.password })), 401)
      for (const body of ['', 'username=a&password=b', '[]', '{"username": 5}']) assert.equal(await status(post(body)), 400, body)
    })
  })

  describe('authorize', () => {
    test('reads of pages of our own, and nothing that another site makes a browser send', async () => {
      const { browser } = await signedIn()
      const read = (headers: Record<string, string>) =>
        status(service.request('/whoami', { headers: { cookie: browser.cookie, ...headers } }))
      assert.equal(await read(own), 200)
      assert.equal(await read({}), 200)
      assert.equal(await read({ origin: service.baseUrl }), 200)
      const forged: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'Same-Origin' },
        { 'sec-fetch-site': 'same-origin,same-origin' },
        { 'sec-fetch-site': '' },
        { 'sec-fetch-site': 'cross-site', origin: service.baseUrl },
        { origin: 'null' },
        { origin: 'https://evil.example' },
      ]
      for (const headers of forged) assert.equal(await read(headers), 401, JSON.stringify(headers))
    })

    test('changes of pages of our own that repeat csrf, and no others', async () => {
      const { browser } = await signedIn()
      const { cookie, csrf } = browser
      assert.equal(await status(makeFolder({ cookie, ...own, 'x-csrf': csrf })), 200)
      assert.equal(await status(makeFolder({ cookie, origin: service.baseUrl, 'x-csrf': csrf })), 200)
      const other = await signedIn()
      const forged: Record<string, string>[] = [
        { ...own },
        { ...own, 'x-csrf': '' },
        { ...own, 'x-csrf': 'wrong' },
        { ...own, 'x-csrf': other.browser.csrf },
        { ...own, 'x-csrf': `${csrf}, ${csrf}` },
        { 'x-csrf': csrf },
        { origin: 'null', 'x-csrf': csrf },
        { origin: 'https://evil.example', 'x-csrf': csrf },
        { 'sec-fetch-site': 'same-site', 'x-csrf': csrf },
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', 'content-type': 'text/plain' },
        { 'sec-fetch-site': 'cross-site', origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
      ]
      for (const headers of forged) {
        const refused = await makeFolder({ cookie, ...headers })
        assert.equal(refused.status, 401, JSON.stringify(headers))
        assert.equal(refused.headers.get('access-control-allow-credentials'), null)
      }
      const folders = (await (await service.request('/folder', { headers: { cookie, ...own } })).json()) as { name: string }[]
      assert.equal(folders.filter(({ name }) => name === 'Made in a session').length, 2)
    })

    test('nothing beside an Authorization header, which counts alone, also an empty one', async () => {
      const [{ browser }, other] = [await signedIn(), await person()]
      const as = (authorization: string) => service.request('/whoami', { headers: { cookie: browser.cookie, ...own, authorization } })
      assert.equal(((await (await as(other.authorization)).json()) as { id: number }).id, other.userId)
      for (const wrong of ['', 'garbage', 'SVC-SIMPLE-TOKEN Token=wrong']) assert.equal(await status(as(wrong)), 401, wrong)
    })

    test('nothing by a cookie that is not one of ours', async () => {
      const { browser } = await signedIn()
      const secret = browser.cookie.split('=')[1]!
      const read = (cookie: string) => status(service.request('/whoami', { headers: { cookie, ...own } }))
      assert.equal(await read(`a=b; ${name}=${secret}; c=d`), 200)
      const wrong = [
        `${name}=`,
        `${name}=x`,
        `${name}=${'A'.repeat(43)}`,
        `x${name}=${secret}`,
        `${name.toUpperCase()}=${secret}`,
        `${name === 'session' ? '__Host-session' : 'session'}=${secret}`,
        `${name}=${secret}; ${name}=${'A'.repeat(43)}`,
        `${name}="${secret}"`,
      ]
      for (const cookie of wrong) assert.equal(await read(cookie), 401, cookie)
    })

    test('API paths alone: not files, links, the player, forms or finalizing', async () => {
      const { client } = await person({ admin: true })
      const folder = (await client['create-folder']({ body: { name: 'Files' } })).body.id
      const { id } = await uploadAndImport(client, folder, await images['plain.jpg'](), 'plain.jpg')
      const { browser } = await signedIn()
      const headers = { cookie: browser.cookie, ...own, 'x-csrf': browser.csrf }
      const { url } = (await client['get-download-location']({ params: { id: Number(id) } })).body
      const unsigned = new URL(url)
      unsigned.search = ''
      const calls: ((sent: Record<string, string>) => Promise<Response>)[] = [
        (sent) => fetch(unsigned, { headers: sent }),
        (sent) => service.request('/-/uploads', { method: 'POST', headers: sent, body: new FormData() }),
        (sent) => service.request(`/upload/finalize/${'A'.repeat(43)}`, { headers: sent }),
      ]
      for (const call of calls) assert.equal(await status(call(headers)), await status(call({})))
    })

    test('no application, and no endpoint for applications alone', async () => {
      const { browser } = await signedIn()
      const headers = { cookie: browser.cookie, ...own, 'x-csrf': browser.csrf }
      const body = JSON.stringify({ username: 'somebody' })
      assert.equal(await status(service.request('/authenticate/userpass/reset', { method: 'POST', headers, body })), 403)
    })
  })

  describe('are read', () => {
    test('as they were begun, by their cookie alone', async () => {
      const { browser, authorization, username } = await signedIn()
      const response = await browser.get('/session')
      expect(await response.json()).toMatchObject({ username, csrf: browser.csrf })
      assert.equal(response.headers.get('set-cookie'), null)
      assert.equal(await status(service.request('/session')), 401)
      assert.equal(await status(service.request('/session', { headers: { authorization } })), 401)
    })
  })

  describe('end', () => {
    const signOut = (headers: Record<string, string>) => service.request('/session', { method: 'DELETE', headers })
    const isAlive = async (browser: Browser) => (await browser.get('/whoami')).status === 200

    test('by signing out: a stolen cookie is worth nothing from then on', async () => {
      const { browser } = await signedIn()
      const { cookie, csrf } = browser
      const response = await signOut({ cookie, ...own, 'x-csrf': csrf })
      assert.equal(response.status, 200)
      assert.deepEqual(await response.json(), {})
      assert.equal(
        response.headers.get('set-cookie'),
        [`${name}=`, 'Path=/', ...secure, 'HttpOnly', 'SameSite=Strict', 'Max-Age=0'].join('; '),
      )
      assert.equal(await isAlive(browser), false)
      assert.equal(await status(makeFolder({ cookie, ...own, 'x-csrf': csrf })), 401)
      assert.equal(await status(signOut({ cookie, ...own, 'x-csrf': csrf })), 200)
      assert.equal(await status(signOut({})), 200)
      assert.equal(await status(signOut({ origin: 'https://client.example' })), 200)
    })

    test('not by another site, nor without csrf', async () => {
      const { browser } = await signedIn()
      const { cookie, csrf } = browser
      const forged: Record<string, string>[] = [
        {},
        { ...own },
        { ...own, 'x-csrf': 'wrong' },
        { 'sec-fetch-site': 'cross-site', 'x-csrf': csrf },
        { origin: 'https://evil.example', 'x-csrf': csrf },
      ]
      for (const headers of forged) {
        const refused = await signOut({ cookie, ...headers })
        assert.deepEqual([refused.status, refused.headers.get('set-cookie')], [401, null], JSON.stringify(headers))
      }
      assert.equal(await isAlive(browser), true)
    })

    test('of one browser, not of the others of the same user', async () => {
      const { browser, ...user } = await signedIn()
      const other = await signInBrowser(service, user)
      await signOut({ cookie: browser.cookie, ...own, 'x-csrf': browser.csrf })
      assert.deepEqual([await isAlive(browser), await isAlive(other)], [false, true])
    })

    test('with a new password, and when the user is disabled', async () => {
      const [changed, disabled] = [await signedIn(), await signedIn()]
      await setPassword(accounts.library, changed.userId, 'another long password')
      assert.equal(await isAlive(changed.browser), false)
      await disableUser(accounts.library, disabled.userId)
      assert.equal(await isAlive(disabled.browser), false)
      await enableUser(accounts.library, disabled.userId)
      assert.equal(await isAlive(disabled.browser), false)
    })

    test('with DELETE and Authorization only that token ends', async () => {
      const { browser, ...user } = await signedIn()
      const other = await service.signIn(user)
      const { cookie, csrf } = browser
      const response = await signOut({ cookie, ...own, 'x-csrf': csrf, authorization: user.authorization })
      assert.deepEqual([response.status, response.headers.get('set-cookie')], [200, null])
      assert.equal(await status(service.request('/whoami', { headers: { authorization: user.authorization } })), 401)
      assert.equal(await status(service.request('/whoami', { headers: { authorization: other } })), 200)
      assert.equal(await isAlive(browser), true)
      for (const authorization of ['', 'garbage', user.authorization]) {
        assert.equal(await status(signOut({ cookie, ...own, 'x-csrf': csrf, authorization })), 401, authorization)
      }
      assert.equal(await isAlive(browser), true)
    })
  })

  describe("tokens of the library's own programs", () => {
    test('need no key, no cookie comes with them, and they last as long as others', async () => {
      const { username, password, userId } = await person()
      const response = await post({ username, password, token: true }, {})
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('set-cookie'), null)
      const { token, user_id, expires, ...rest } = (await response.json()) as Record<string, string | number>
      assert.deepEqual([user_id, rest], [userId, {}])
      assert.ok(Math.abs(Date.parse(String(expires)) - Date.now() - 30 * 24 * HOURS * 1000) < 60_000)
      const headers = { authorization: `SVC-SIMPLE-TOKEN Token=${token}` }
      assert.equal(await status(service.request('/whoami', { headers })), 200)
      assert.equal(await status(makeFolder(headers)), 200)
      const known = await service.request(`/authenticate/simpletoken/${token}`)
      assert.deepEqual(await known.json(), { TokenStatus: 'valid' })
      assert.equal(await status(service.request('/session', { method: 'DELETE', headers })), 200)
      assert.equal(await status(service.request('/whoami', { headers })), 401)
    })
  })
})

describe('the time of sessions', elsewhere, async () => {
  const { service, person } = await serviceWithAccounts()
  const expiresOf = async (browser: Browser) => Date.parse(((await (await browser.get('/session')).json()) as { expires: string }).expires)
  /** Milliseconds within which two times of this test count as the same: it runs for less. */
  const TOLERANCE = 120_000

  test('is 8 hours after the last use, and 7 days in any case', async () => {
    const user = await person()
    const [used, unused] = [await signInBrowser(service, user), await signInBrowser(service, user)]
    const begun = Date.now()
    const isHoursAfter = (time: number, hours: number) => assert.ok(Math.abs(time - begun - hours * HOURS * 1000) < TOLERANCE, `${time}`)
    isHoursAfter(Date.parse(used.expires), 8)
    service.advance(7 * HOURS)
    assert.equal((await used.get('/whoami')).status, 200)
    service.advance(2 * HOURS)
    assert.equal((await unused.get('/whoami')).status, 401)
    isHoursAfter(await expiresOf(used), 17)
    for (let hours = 14; hours < 7 * 24; hours += 5) {
      service.advance(5 * HOURS)
      assert.equal((await used.get('/folder')).status, 200, `after ${hours} hours`)
    }
    isHoursAfter(await expiresOf(used), 7 * 24)
    service.advance(5 * HOURS)
    assert.equal((await used.get('/whoami')).status, 401)
    assert.equal((await used.get('/session')).status, 401)
  })
})

test('behind a proxy that speaks TLS the cookie is of this host alone', elsewhere, async () => {
  const port = await freePort()
  const origin = 'https://media.example.com'
  const service = await startService({ PORT: String(port), BASE_URL: origin })
  const request = (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  try {
    const { username, password } = service.demo
    const post = (headers: Record<string, string>) =>
      request('/session', { method: 'POST', headers, body: JSON.stringify({ username, password }) })
    // A proxy may pass the host on that the client asked for, or name this server.
    for (const host of ['media.example.com', `127.0.0.1:${port}`]) assert.equal((await post({ origin, host })).status, 200)
    assert.equal((await post({ origin: 'http://media.example.com' })).status, 403)
    const response = await post({ origin })
    const [cookie = ''] = response.headers.getSetCookie()
    assert.match(cookie, /^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800$/)
    const read = async (sent: string) => (await request('/session', { headers: { cookie: sent, origin } })).status
    assert.equal(await read(cookieOf(response)), 200)
    assert.equal(await read(cookieOf(response).replace('__Host-', '')), 401)
  } finally {
    await service.stop()
  }
})
