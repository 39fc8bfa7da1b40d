import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { generateKeyPair } from 'jose'
import { afterEach, beforeAll, describe, test } from 'vitest'
import { findUser, setEmail } from '../../shared/library/accounts/users.ts'
import { toUserId } from '../../shared/vocabulary/ids.ts'
import { noDomains } from '../support/mail-addresses.ts'
import { type OpenIdServer, startOpenIdServer } from '../support/openid-server.ts'
import { elsewhere, startService } from '../support/service.ts'
import { addProviderTo, serviceWithSignOn } from '../support/signing-on.ts'

const anna = { sub: 'anna', email: 'anna@acme.example', email_verified: true, name: 'Anna Berg' }

describe('sign-on at a provider', elsewhere, async () => {
  const { service, accounts, server, browser, addProvider, operate, pass } = await serviceWithSignOn()
  /** It makes who is unknown. */
  let provider: number
  beforeAll(async () => {
    provider = (await addProvider('--create-users')).provider_id
  })
  afterEach(() => {
    Object.assign(server, { person: anna, metadata: {}, userInfo: {}, tamper: undefined, instead: undefined, ahead: 0 })
    pass()
  })

  /** Signs on as somebody new. */
  const newcomer = (claims: object = {}) => {
    const sub = randomUUID()
    server.person = { ...anna, sub, email: `${sub}@acme.example`, ...claims }
    return server.person
  }

  async function assertRefused(response: Response, code: string, status = 403): Promise<void> {
    const body = (await response.json()) as { code: string; message: string }
    assert.deepEqual([response.status, body.code], [status, code], body.message)
    assert.match(body.message, /^[A-Z].*\.$/)
    assert.equal(
      response.headers.getSetCookie().some((cookie) => cookie.startsWith('session=')),
      false,
    )
  }

  test('the sign-in page can list the providers', async () => {
    const { providers } = (await (await service.request('/session/sso')).json()) as { providers: { id: number }[] }
    assert.deepEqual(
      providers.find(({ id }) => id === provider),
      { id: provider, name: 'Acme', start: `${service.baseUrl}/session/sso/${provider}` },
    )
  })

  test('who the provider vouches for gets a session of the console, as a new user without rights', async () => {
    const mine = browser()
    const start = await mine.get(`/session/sso/${provider}?return=/console/folder/5?a=b`)
    const [cookie = ''] = start.headers.getSetCookie()
    assert.match(cookie, /^sign-on=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/)
    const back = await mine.get((await server.agree(start.headers.get('location')!)).slice(service.baseUrl.length))
    assert.deepEqual([back.status, back.headers.get('location')], [302, `${service.baseUrl}/console/folder/5?a=b`])
    assert.match(back.headers.getSetCookie()[0]!, /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/)
    assert.equal(back.headers.get('cache-control'), 'no-store')
    assert.equal(mine.jar.has('sign-on'), false)
    const { status, body } = await mine.session()
    assert.deepEqual([status, body.username, body.fullname], [200, 'anna@acme.example', 'Anna Berg'])
    assert.deepEqual(body.company_ids, [service.demo.company_id])
    const folders = await mine.get('/folder?parent=0', { 'sec-fetch-site': 'same-origin' })
    const seen = (await folders.json()) as { name: string }[]
    assert.deepEqual(
      seen.map(({ name }) => name),
      ['Trashcan'],
    )

    const again = browser()
    await again.signOn(provider)
    assert.equal((await again.session()).body.user_id, body.user_id)
    const signIn = service.signIn({ username: 'anna@acme.example', password: '' })
    await assert.rejects(signIn, /401/)
  })

  test('neither the code nor any secret is in the log', async () => {
    const mine = browser()
    const path = await mine.begin(provider)
    await mine.get(path)
    const log = service.log.join('\n')
    const secrets = [...new URL(path, 'http://x').searchParams.values(), server.clientSecret, ...mine.jar.header.split(/[=;]/).slice(1)]
    for (const secret of secrets) assert.equal(log.includes(secret.trim()), false, secret)
  })

  test('a browser comes back to pages of the console alone', async () => {
    const mine = browser()
    for (const to of [
      'https://evil.example/console/',
      '//evil.example/console/',
      '/folder',
      '/console/../whoami',
      '/consoles',
      '/\\evil.example',
    ]) {
      const response = await mine.get(`/session/sso/${provider}?return=${encodeURIComponent(to)}`)
      assert.equal(response.status, 400, to)
    }
    assert.equal((await mine.get('/session/sso/1')).status, 404)
  })

  test('a sign-on belongs to the browser that began it, for an hour', async () => {
    const [mine, other] = [browser(), browser()]
    const path = await mine.begin(provider)
    await assertRefused(await other.get(path), 'sign_on_expired')
    await other.begin(provider)
    await assertRefused(await other.get(path), 'sign_on_expired')
    for (const wrong of ['', '?state=', '?code=x', '?state=abc&code=x', `?state=${'A'.repeat(100)}&code=x`]) {
      await assertRefused(await mine.get(`/session/sso/callback${wrong}`), 'sign_on_expired')
    }
    service.advance(3601)
    await assertRefused(await mine.get(path), 'sign_on_expired')
    service.advance(-3601)
    assert.equal((await mine.get(path)).status, 302)
  })

  test('people in browsers are led to the sign-in page, which hears the reason and nothing else', async () => {
    const refusals: [path: string, code: string, browser?: ReturnType<typeof browser>][] = [
      ['/session/sso/1', 'provider_not_found'],
      ['/session/sso/x', 'invalid_input'],
      [`/session/sso/${provider}?return=https://evil.example/`, 'invalid_input'],
      ['/session/sso/callback?code=x&state=x', 'sign_on_expired'],
      [`/session/sso/callback?state=${'x'.repeat(5000)}`, 'invalid_input'],
    ]
    newcomer({ email_verified: false })
    const mine = browser()
    refusals.push([await mine.begin(provider), 'email_not_verified', mine])
    for (const [path, code, sender = browser()] of refusals) {
      const answer = await sender.get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
      const { status, headers } = answer
      const expected = [302, `${service.baseUrl}/console/sign-in?refused=${code}`, 'no-store', null]
      assert.deepEqual([status, headers.get('location'), headers.get('cache-control'), headers.get('content-type')], expected, path)
      assert.equal(await answer.text(), '')
      assert.ok((await sender.get(path)).status >= 400, path)
    }
    server.instead = (_, response) => Boolean(response.destroy())
    pass()
    const down = await browser().get(`/session/sso/${provider}`, { accept: 'text/html' })
    assert.equal(down.headers.get('location'), `${service.baseUrl}/console/sign-in?refused=provider_failed`)
    const lines = service.log.map((line) => JSON.parse(line) as { route?: string; status?: number })
    assert.equal(lines.findLast(({ route }) => route === 'GET /session/sso/{id}')?.status, 502)
  })

  test('a code is good once', async () => {
    const mine = browser()
    const path = await mine.begin(provider)
    const cookie = mine.jar.header
    assert.equal((await mine.get(path)).status, 302)
    await assertRefused(await mine.get(path), 'sign_on_expired')
    await assertRefused(await service.request(path, { headers: { cookie } }), 'sign_on_refused')
  })

  test('who declines at the provider is told so', async () => {
    const mine = browser()
    const state = new URL(await mine.begin(provider), 'http://x').searchParams.get('state')!
    const answer = new URLSearchParams({ error: 'access_denied', error_description: '<script>', state })
    const response = await mine.get(`/session/sso/callback?${answer}`)
    assert.equal(((await response.clone().json()) as { message: string }).message, 'The provider did not sign you in (access_denied).')
    await assertRefused(response, 'sign_on_refused')
  })

  describe('an answer that is not for this sign-on is refused', () => {
    const hour = 3600
    const now = () => Math.floor(Date.now() / 1000)
    const wrong: Record<string, NonNullable<OpenIdServer['tamper']>> = {
      'of another issuer': ({ claims }) => void Object.assign(claims, { iss: 'https://other.example' }),
      'for another audience': ({ claims }) => void Object.assign(claims, { aud: 'another-client' }),
      'for several audiences without saying which': ({ claims }) => void Object.assign(claims, { aud: ['library', 'another-client'] }),
      'with another nonce': ({ claims }) => void Object.assign(claims, { nonce: 'x' }),
      'without a nonce': ({ claims }) => void delete claims.nonce,
      expired: ({ claims }) => void Object.assign(claims, { iat: now() - hour, exp: now() - 21 }),
      'without an end': ({ claims }) => void delete claims.exp,
      'of nobody': ({ claims }) => void delete claims.sub,
      'signed with a key that is not the provider’s': ({ header }) => void Object.assign(header, { kid: 'unknown' }),
    }
    for (const [name, tamper] of Object.entries(wrong)) {
      test(name, async () => {
        newcomer()
        server.tamper = tamper
        const mine = browser()
        await assertRefused(await mine.signOn(provider), 'sign_on_refused')
        assert.equal((await mine.session()).status, 401)
      })
    }

    test('signed by somebody else under the name of the key', async () => {
      const forged = await generateKeyPair('ES256')
      server.tamper = (issued) => void Object.assign(issued, { key: forged })
      await assertRefused(await browser().signOn(provider), 'sign_on_refused')
    })

    test('of another provider, as it names itself in the address', async () => {
      server.metadata = { authorization_response_iss_parameter_supported: true }
      const mine = browser()
      const path = await mine.begin(provider)
      await assertRefused(await mine.get(path), 'sign_on_refused')
      await assertRefused(await mine.get(`${path}&iss=https://other.example`), 'sign_on_refused')
      assert.equal((await mine.get(`${path}&iss=${encodeURIComponent(server.issuer)}`)).status, 302)
    })
  })

  test('new keys of the provider count at once', async () => {
    assert.equal((await browser().signOn(provider)).status, 302)
    const mine = browser()
    const path = await mine.begin(provider)
    await server.rotate()
    assert.equal((await mine.get(path)).status, 302)
  })

  describe('a provider that fails is 502 or 504', () => {
    const failures: Record<string, [NonNullable<OpenIdServer['instead']>, number]> = {
      'it answers 500': [(_, response) => Boolean(response.writeHead(500).end()), 502],
      'it answers nonsense': [(_, response) => Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end('{')), 502],
      'it redirects': [(_, response) => Boolean(response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()), 502],
      'it answers too much': [
        (_, response) => Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(1_100_000))),
        502,
      ],
      'it does not answer': [() => true, 504],
    }
    for (const [name, [instead, status]] of Object.entries(failures)) {
      test(name, async () => {
        const mine = browser()
        const path = await mine.begin(provider)
        server.instead = instead
        pass()
        const code = status === 504 ? 'provider_timed_out' : 'provider_failed'
        const asked = await Promise.all([mine.get(`/session/sso/${provider}`), mine.get(path)])
        for (const answer of asked) await assertRefused(answer, code, status)
        server.instead = undefined
        pass(11)
        assert.equal((await mine.get(path)).status, 302)
      })
    }

    test('it names itself otherwise, knows no such client, or has no keys', async () => {
      const mine = browser()
      server.metadata = { issuer: 'https://other.example' }
      await assertRefused(await mine.get(`/session/sso/${provider}`), 'provider_failed', 502)
      server.metadata = { jwks_uri: `${server.issuer}/nothing` }
      pass()
      await assertRefused(await mine.signOn(provider), 'provider_failed', 502)
      server.metadata = {}
      pass()
      const { clientSecret } = server
      server.clientSecret = 'another'
      await assertRefused(await mine.signOn(provider), 'provider_failed', 502)
      server.clientSecret = clientSecret
    })
  })

  describe('who somebody is', () => {
    test('an e-mail address counts only where the provider says that it is verified', async () => {
      for (const email_verified of [false, undefined, 'true', 1]) {
        newcomer({ email_verified })
        await assertRefused(await browser().signOn(provider), 'email_not_verified')
      }
    })

    test('what the ID token leaves out, the UserInfo endpoint may tell', async () => {
      const { sub } = newcomer({ email: undefined, email_verified: undefined })
      await assertRefused(await browser().signOn(provider), 'email_not_verified')
      server.userInfo = { email: `${sub}@acme.example`, email_verified: true }
      const mine = browser()
      await mine.signOn(provider)
      assert.equal((await mine.session()).body.username, `${sub}@acme.example`)
      newcomer({ email: undefined })
      server.userInfo = { sub: 'another', email: 'x@acme.example', email_verified: true }
      assert.ok([403, 502].includes((await browser().signOn(provider)).status))
    })

    test('domains are compared as a whole', async () => {
      const { provider_id: strict } = await addProvider('--create-users', '--domains', 'acme.example,Bücher.example')
      for (const email of [
        'a@evil-acme.example',
        'a@sub.acme.example',
        'a@acme.example.evil',
        'acme.example@evil.example',
        'a@b@acme.example',
      ]) {
        newcomer({ email })
        const response = await browser().signOn(strict)
        assert.equal(response.status, 403, email)
      }
      newcomer({ email_verified: false })
      await assertRefused(await browser().signOn(strict), 'email_not_verified')
      for (const domain of ['ACME.example', 'bücher.example']) {
        newcomer({ email: `${randomUUID()}@${domain}` })
        assert.equal((await browser().signOn(strict)).status, 302, domain)
      }
    })

    test('without --create-users who is unknown stays so', async () => {
      const { provider_id: closed } = await addProvider()
      newcomer()
      await assertRefused(await browser().signOn(closed), 'unknown_person')
    })

    test('a username may be another claim, and none that somebody has', async () => {
      const { provider_id: byName } = await addProvider('--create-users', '--username-claim', 'preferred_username')
      const username = `name-${randomUUID()}`
      newcomer({ preferred_username: username, email: undefined, email_verified: undefined })
      const mine = browser()
      await mine.signOn(byName)
      assert.equal((await mine.session()).body.username, username)
      newcomer({ preferred_username: username.toUpperCase() })
      await assertRefused(await browser().signOn(byName), 'username_taken')
      newcomer({ preferred_username: service.demo.username })
      await assertRefused(await browser().signOn(byName), 'username_taken')
      newcomer()
      await assertRefused(await browser().signOn(byName), 'username_missing')
    })

    test('with --join-by-email they are the user of the company with their address', async () => {
      const { provider_id: joining } = await addProvider('--join-by-email')
      const { sub } = newcomer()
      const user = await accounts.user({ username: `${sub}@ACME.example` })
      const mine = browser()
      await mine.signOn(joining)
      assert.equal((await mine.session()).body.user_id, user.userId)
      // The password stays good.
      await service.signIn({ username: user.username, password: user.password })

      // The address has another owner now.
      server.person = { ...server.person, sub: randomUUID() }
      await assertRefused(await browser().signOn(joining), 'email_taken')
      // The same address at another provider that joins is the same user; at one that doesn't it is nobody.
      const { provider_id: second } = await addProvider('--join-by-email')
      const theirs = browser()
      await theirs.signOn(second)
      assert.equal((await theirs.session()).body.user_id, user.userId)
      await assertRefused(await browser().signOn(provider), 'username_taken')
    })

    test('an address whose domain is none counts for no domain and joins nobody', async () => {
      const { provider_id: strict } = await addProvider('--create-users', '--domains', 'a.test')
      const { provider_id: joining } = await addProvider('--join-by-email', '--domains', 'a.test')
      const name = `boss-${randomUUID()}`
      const { userId } = await accounts.user({ username: `${name}@a.test`, admin: true })
      for (const domain of noDomains) {
        newcomer({ email: `${name}@${domain}` })
        for (const provider of [strict, joining]) await assertRefused(await browser().signOn(provider), 'email_not_verified')
      }
      assert.equal((await findUser(accounts, userId))?.identities, undefined)
      // A domain that people write another way is the same domain.
      newcomer({ email: `${name}@A．test` })
      const mine = browser()
      await mine.signOn(joining)
      assert.equal((await mine.session()).body.user_id, userId)
    })

    test('an international address joins its user, however its domain is written', async () => {
      const { provider_id: joining } = await addProvider('--join-by-email')
      for (const [kept, told] of [
        ['bücher.example', 'xn--bcher-kva.example'],
        ['XN--bcher-kva.example', 'Bücher.example'],
        ['bücher.example', 'bücher.example'],
      ]) {
        const name = randomUUID()
        const { userId } = await accounts.user({ username: `${name}@${kept}` })
        newcomer({ email: `${name}@${told}` })
        const mine = browser()
        assert.equal((await mine.signOn(joining)).status, 302, told)
        assert.equal((await mine.session()).body.user_id, userId)
      }
    })

    test('an address that was kept before it was checked is that of nobody', async () => {
      const { provider_id: joining } = await addProvider('--join-by-email')
      const other = await accounts.user()
      const { sub } = newcomer({ email: undefined })
      await setEmail(accounts.library, toUserId(other.userId), `${sub}@acme.example/.evil.test`)
      server.person = { ...server.person, email: `${sub}@acme.example` }
      await assertRefused(await browser().signOn(joining), 'unknown_person')
      const { user_id, email } = await operate('user', 'show', '--username', other.username)
      assert.deepEqual([user_id, email], [other.userId, null])
    })

    test('nobody is joined by an address that is not verified, of another company, or of several users', async () => {
      const { provider_id: joining } = await addProvider('--join-by-email')
      const unverified = newcomer({ email_verified: false })
      await accounts.user({ username: String(unverified.email) })
      await assertRefused(await browser().signOn(joining), 'email_not_verified')

      const companyId = await accounts.company('Elsewhere')
      await accounts.user({ username: String(newcomer().email), companyId })
      await assertRefused(await browser().signOn(joining), 'unknown_person')

      const { userId } = await accounts.user({ username: String(newcomer().email) })
      await operate('user', 'join', '--username', String(server.person.email), '--company', String(companyId))
      await assertRefused(await browser().signOn(joining), 'account_of_others')
      assert.ok(userId)

      const other = await accounts.user()
      await accounts.user({ username: String(newcomer().email) })
      await setEmail(accounts.library, toUserId(other.userId), String(server.person.email))
      await assertRefused(await browser().signOn(joining), 'email_ambiguous')
    })

    test('who is disabled stays so, and whose user is deleted is new', async () => {
      newcomer()
      const mine = browser()
      await mine.signOn(provider)
      const { user_id } = (await mine.session()).body
      await operate('user', 'disable', '--username', String(server.person.email))
      assert.equal((await mine.session()).status, 401)
      await assertRefused(await browser().signOn(provider), 'user_disabled')
      await operate('user', 'enable', '--username', String(server.person.email))
      assert.equal((await browser().signOn(provider)).status, 302)
      await operate('user', 'delete', '--username', String(server.person.email), '--yes')
      const again = browser()
      await again.signOn(provider)
      assert.notEqual((await again.session()).body.user_id, user_id)
    })

    test('many first sign-ons of one person at a time make one user', async () => {
      newcomer()
      const browsers = Array.from({ length: 6 }, browser)
      const paths = await Promise.all(browsers.map((each) => each.begin(provider)))
      const answers = await Promise.all(browsers.map((each, at) => each.get(paths[at]!)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(6).fill(302),
      )
      const ids = await Promise.all(browsers.map(async (each) => (await each.session()).body.user_id))
      assert.equal(new Set(ids).size, 1)
    })
  })

  test('groups give and take cliques at each sign-on, and leave what was given by hand', async () => {
    const client = await service.client()
    const clique = async () => (await client['create-clique']({ body: { name: 'Clique', svc_id: service.demo.company_id } })).body.id
    const [editors, press, byHand] = [await clique(), await clique(), await clique()]
    const mapping = `editors=${editors},press=${press},staff=${byHand}`
    const { provider_id: id } = await addProvider('--create-users', '--groups', mapping)
    const person = newcomer({ groups: ['editors', 'staff', 'others'] })
    const mine = browser()
    const signOn = async (groups: unknown) => {
      server.person = { ...person, groups }
      assert.equal((await mine.signOn(id)).status, 302)
      const user = await findUser(accounts, toUserId(Number((await mine.session()).body.user_id)))
      return user?.cliques.toSorted()
    }
    assert.deepEqual(await signOn(['editors', 'staff', 'others']), [editors, byHand].sort())
    const { user_id } = (await mine.session()).body
    await client['add-clique-member']({ params: { id: byHand, userId: Number(user_id) } })
    assert.deepEqual(await signOn(['press']), [press, byHand].sort())
    assert.deepEqual(await signOn(undefined), [press, byHand].sort())
    await client['delete-clique']({ params: { id: editors } })
    assert.deepEqual(await signOn(['editors']), [byHand])
    assert.deepEqual(await signOn([]), [byHand])
  })

  describe('the operator', () => {
    test('gets the addresses to register, and lists providers without their secrets', async () => {
      const made = await addProvider('--domains', 'acme.example')
      const { provider_id: id } = made
      assert.deepEqual(made, {
        provider_id: id,
        callback_url: `${service.baseUrl}/session/sso/callback`,
        start_url: `${service.baseUrl}/session/sso/${id}`,
        backchannel_logout_uri: `${service.baseUrl}/session/sso/${id}/logout`,
      })
      const listed = await operate('sso', 'list', '--company', String(service.demo.company_id))
      const one = listed.find(({ provider_id }: { provider_id: number }) => provider_id === id)
      assert.deepEqual([one.issuer, one.client_id, one.domains, one.create_users], [server.issuer, 'library', ['acme.example'], false])
      assert.equal(JSON.stringify(listed).includes(server.clientSecret), false)
      const stored = await accounts.table.get({ pk: `PROVIDER#${id}`, sk: 'PROVIDER' })
      assert.equal(JSON.stringify(stored).includes(server.clientSecret), false)
    })

    test('tries a provider', async () => {
      const tried = await operate('sso', 'test', '--provider', String(provider))
      assert.deepEqual([tried.ok, tried.keys, tried.authorization_endpoint], [true, 1, `${server.issuer}/authorize`])
      server.instead = (_, response) => Boolean(response.writeHead(500).end())
      await assert.rejects(operate('sso', 'test', '--provider', String(provider)), /exit 1: .*"ok":false/)
      await assert.rejects(operate('sso', 'test', '--provider', '1'), /There is no provider 1/)
    })

    test('removes a provider, and its sessions are over', async () => {
      const { provider_id: id } = await addProvider('--create-users')
      newcomer()
      const mine = browser()
      await mine.signOn(id)
      const path = await mine.begin(id)
      assert.equal((await mine.session()).status, 200)
      await operate('sso', 'remove', '--provider', String(id))
      assert.equal((await mine.session()).status, 401)
      assert.equal((await mine.get(path)).status, 404)
      assert.equal((await mine.get(`/session/sso/${id}`)).status, 404)
      const left = await accounts.table.query({ pk: `PROVIDER#${id}`, consistent: true })
      assert.deepEqual(left.items, [])
    })
  })
})

test('a provider in a network that is not allowed gets no request', elsewhere, async () => {
  const [service, server] = [await startService({ OIDC_HTTP: '1' }), await startOpenIdServer()]
  try {
    const { provider_id } = await addProviderTo(service, server)
    const response = await service.request(`/session/sso/${provider_id}`)
    assert.deepEqual([response.status, server.requests], [502, []])
  } finally {
    await service.stop()
    await server[Symbol.asyncDispose]()
  }
})
