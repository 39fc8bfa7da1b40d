import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { generateKeyPair, type JWTPayload } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import type { OpenIdServer } from '../support/openid-server.ts'
import { elsewhere } from '../support/service.ts'
import { serviceWithSignOn } from '../support/signing-on.ts'

describe('a provider that ends sessions', elsewhere, async () => {
  const { service, server, browser, addProvider, pass } = await serviceWithSignOn()
  let provider: number
  /** Path of the address that the operator registers. */
  let logoutPath: string
  /** Somebody new in each test. */
  let sub: string
  beforeAll(async () => {
    const added = await addProvider('--create-users')
    provider = added.provider_id
    assert.equal(added.backchannel_logout_uri, `${service.baseUrl}/session/sso/${provider}/logout`)
    logoutPath = added.backchannel_logout_uri.slice(service.baseUrl.length)
  })
  beforeEach(() => {
    sub = randomUUID()
  })
  afterEach(() => {
    Object.assign(server, { tamper: undefined, instead: undefined, ahead: 0 })
    pass()
  })

  /** Signs on in a browser of its own. @param claims of the ID token, such as the name of the session */
  async function signedOn(claims: object = {}) {
    server.person = { sub, email: `${sub}@acme.example`, email_verified: true, ...claims }
    const mine = browser()
    assert.equal((await mine.signOn(provider)).status, 302)
    const lives = async () => (await mine.session()).status === 200
    assert.equal(await lives(), true)
    return { ...mine, lives }
  }

  const post = (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    service.request(logoutPath, { method: 'POST', body, headers })
  const postToken = (token: string) => post(new URLSearchParams({ logout_token: token }))
  const logOut = async (claims: JWTPayload, tamper?: OpenIdServer['tamper']) => postToken(await server.logoutToken(claims, tamper))

  async function assertDone(response: Response): Promise<void> {
    assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-store'], await response.text())
  }

  async function assertRefused(response: Response, error = 'invalid_request'): Promise<void> {
    const body = (await response.json()) as Record<string, string>
    assert.deepEqual([response.status, response.headers.get('cache-control'), body.error], [400, 'no-store', error], JSON.stringify(body))
    assert.match(body.error_description!, /^[A-Z].*\.$/)
  }

  test('with sid that session is over, and no other', async () => {
    const sid = randomUUID()
    const [first, second] = [await signedOn({ sid }), await signedOn({ sid: randomUUID() })]
    await assertDone(await logOut({ sid }))
    assert.deepEqual([await first.lives(), await second.lives()], [false, true])
    const third = await signedOn({ sid: randomUUID() })
    const { sid: told } = server.person
    await assertDone(await logOut({ sub, sid: told }))
    assert.deepEqual([await second.lives(), await third.lives()], [true, false])
  })

  test('with sub alone all sessions of the person are over, and those of nobody else', async () => {
    const [first, second] = [await signedOn({ sid: randomUUID() }), await signedOn()]
    const mine = sub
    sub = randomUUID()
    const other = await signedOn()
    await assertDone(await logOut({ sub: mine }))
    assert.deepEqual([await first.lives(), await second.lives(), await other.lives()], [false, false, true])
    sub = mine
    service.advance(1)
    assert.equal(await (await signedOn()).lives(), true)
    service.advance(-1)
  })

  test('a session that the provider gave no name is over with any of the person’s', async () => {
    const [named, unnamed] = [await signedOn({ sid: randomUUID() }), await signedOn()]
    await assertDone(await logOut({ sub, sid: randomUUID() }))
    assert.deepEqual([await named.lives(), await unnamed.lives()], [true, false])
  })

  test('a logout that comes while somebody signs on ends that session, too', async () => {
    await signedOn()
    const sid = randomUUID()
    server.person = { ...server.person, sid }
    for (const claims of [{ sub }, { sid }]) {
      const answers: number[] = []
      server.tamper = async () => void answers.push((await logOut(claims)).status)
      const mine = browser()
      assert.equal((await mine.signOn(provider)).status, 302)
      assert.deepEqual([answers, (await mine.session()).status], [[200], 401])
    }
  })

  test('who has no session, or never signed on, can be logged out', async () => {
    await assertDone(await logOut({ sub: 'nobody' }))
    await assertDone(await logOut({ sid: 'no session' }))
    assert.equal((await service.request('/session/sso/1/logout', { method: 'POST', body: '' })).status, 400)
    const form = new URLSearchParams({ logout_token: await server.logoutToken({ sub }) })
    assert.equal((await service.request('/session/sso/1/logout', { method: 'POST', body: form })).status, 404)
  })

  test('a token counts once: sent again it ends no newer session', async () => {
    const first = await signedOn()
    const token = await server.logoutToken({ sub })
    await assertDone(await postToken(token))
    assert.equal(await first.lives(), false)
    service.advance(1)
    const second = await signedOn()
    await assertRefused(await postToken(token))
    assert.equal(await second.lives(), true)
    service.advance(-1)
  })

  describe('a token that is not valid ends nothing', () => {
    const now = () => Math.floor(Date.now() / 1000)
    const event = 'http://schemas.openid.net/event/backchannel-logout'
    const wrong: Record<string, JWTPayload> = {
      'of another issuer': { iss: 'https://other.example' },
      'for another audience': { aud: 'another-client' },
      'without an audience': { aud: undefined },
      'without iat': { iat: undefined },
      'without exp': { exp: undefined },
      'that has expired': { iat: now() - 120, exp: now() - 30 },
      'of a time to come': { iat: now() + 60 },
      'older than ten minutes': { iat: now() - 700, exp: now() + 3600 },
      'without jti': { jti: undefined },
      'without events': { events: undefined },
      'of another event': { events: { 'http://schemas.openid.net/event/other': {} } },
      'with the event as a text': { events: event },
      'with a nonce': { nonce: 'x' },
      'of nobody': { sub: undefined },
      'of somebody without a name': { sub: '' },
      'with a sid that is no text': { sid: 5 },
    }
    for (const [name, claims] of Object.entries(wrong)) {
      test(name, async () => {
        const mine = await signedOn()
        await assertRefused(await logOut({ sub, ...claims }))
        assert.equal(await mine.lives(), true)
      })
    }

    test('not signed by the provider, or not at all', async () => {
      const mine = await signedOn()
      const forged = await generateKeyPair('ES256')
      await assertRefused(await logOut({ sub }, (issued) => void Object.assign(issued, { key: forged })))
      await assertRefused(await logOut({ sub }, ({ header }) => void Object.assign(header, { kid: 'unknown' })))
      const [, payload] = (await server.logoutToken({ sub })).split('.')
      const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
      for (const token of [`${none}.${payload}.`, 'a.b.c', 'x', `${'a'.repeat(9000)}.b.c`]) await assertRefused(await postToken(token))
      assert.equal(await mine.lives(), true)
    })

    test('of another type: only its own, a plain one and none are taken', async () => {
      for (const [typ, status] of [
        ['at+jwt', 400],
        ['application/at+jwt', 400],
        ['logout+jwt', 200],
        ['application/logout+jwt', 200],
        ['JWT', 200],
        [undefined, 200],
      ] as const) {
        const mine = await signedOn()
        const answer = await logOut({ sub }, ({ header }) => void Object.assign(header, { typ }))
        assert.deepEqual([answer.status, await mine.lives()], [status, status === 400], typ)
      }
    })

    test('one that is not meant for this service costs the provider no request', async () => {
      const before = server.requests.length
      await assertRefused(await logOut({ sub, aud: 'another-client' }))
      await assertRefused(await postToken('x'))
      assert.equal(server.requests.length, before)
    })

    test('a body that is no form with one token', async () => {
      const mine = await signedOn()
      const token = await server.logoutToken({ sub })
      await assertRefused(await post(''))
      await assertRefused(await post(new URLSearchParams({ other: token })))
      await assertRefused(await post(JSON.stringify({ logout_token: token }), { 'content-type': 'application/json' }))
      const twice = new URLSearchParams({ logout_token: token })
      twice.append('logout_token', token)
      await assertRefused(await post(twice))
      assert.equal((await post(new URLSearchParams({ logout_token: 'a'.repeat(20_000) }))).status, 413)
      assert.equal(await mine.lives(), true)
      await assertDone(await postToken(token))
    })
  })

  test('clocks may be 20 seconds apart', async () => {
    for (const [ahead, status] of [
      [15, 200],
      [40, 400],
      [-130, 200],
      [-150, 400],
    ] as const) {
      server.ahead = ahead
      assert.equal((await logOut({ sub })).status, status, String(ahead))
    }
  })

  test('new keys of the provider count at once, and former ones no more then', async () => {
    const mine = await signedOn()
    const former = await server.logoutToken({ sub })
    await server.rotate()
    await assertDone(await logOut({ sub }))
    assert.equal(await mine.lives(), false)
    const other = await signedOn()
    await assertRefused(await postToken(former))
    assert.equal(await other.lives(), true)
  })

  test('a provider whose keys can’t be read is told so, and may try again', async () => {
    const mine = await signedOn()
    for (const path of ['/.well-known/openid-configuration', '/jwks']) {
      server.instead = ({ url }, response) => url === path && Boolean(response.writeHead(500).end())
      pass()
      await assertRefused(await logOut({ sub }), 'temporarily_unavailable')
    }
    server.instead = undefined
    pass()
    assert.equal(await mine.lives(), true)
    await assertDone(await logOut({ sub }))
    assert.equal(await mine.lives(), false)
  })

  test('the provider of a company ends no session of another provider', async () => {
    const mine = await signedOn()
    const other = await addProvider('--create-users')
    const path = other.backchannel_logout_uri.slice(service.baseUrl.length)
    const body = new URLSearchParams({ logout_token: await server.logoutToken({ sub }) })
    assert.equal((await service.request(path, { method: 'POST', body })).status, 200)
    assert.equal(await mine.lives(), true)
  })

  test('no token is in the log', async () => {
    const token = await server.logoutToken({ sub })
    await assertDone(await postToken(token))
    assert.equal(service.log.join('\n').includes(token.split('.')[2]!), false)
  })
})
