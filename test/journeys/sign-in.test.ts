import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'vitest'
import { elsewhere, emulator, startService } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { signInBrowser } from '../support/session.ts'

describe('signing in', async () => {
  const { service, accounts } = await serviceWithAccounts()

  const now = () => Math.floor(Date.now() / 1000)
  const sign = (key: string, secret: string, ts: number) => createHmac('sha1', secret).update(`${key}:${ts}`).digest('hex')
  const credentials = (changes: Record<string, unknown> = {}) => {
    const { username, password, api_key: key, api_secret: secret } = service.demo
    const ts = now()
    return { username, password, key, ts, hmac: sign(key, secret, ts), ...changes }
  }
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    service.request('/authenticate/userpasshmac', { method: 'POST', body: JSON.stringify(body), headers })

  test('gives a token of type 1 for 30 days, bound to the user', async () => {
    const response = await post(credentials())
    assert.equal(response.status, 200)
    const answer = (await response.json()) as Record<string, number | string>
    assert.deepEqual(Object.keys(answer).sort(), ['ownerIdentifier', 'token', 'type', 'validUntil'])
    assert.equal(answer.type, 1)
    assert.equal(answer.ownerIdentifier, service.demo.user_id)
    assert.ok(Math.abs(Number(answer.validUntil) - now() - 30 * 86_400) < 300)
    assert.match(String(answer.token), /^[\w-]{43}$/)
    const status = await service.request(`/authenticate/simpletoken/${answer.token}`)
    assert.deepEqual(await status.json(), { TokenStatus: 'valid' })
    assert.deepEqual(await (await service.request(`/authenticate/simpletoken/${answer.token}x`)).json(), { TokenStatus: 'invalid' })
  })

  test('takes whatever Content-Type, a Content-Type of none, and ignores an Authorization that comes along', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      assert.equal((await post(credentials(), { 'content-type': type, authorization: 'garbage' })).status, 200, type)
    }
  })

  test('whatever is wrong gives one and the same answer', async () => {
    const { username } = await accounts.user()
    const wrong = [{ password: 'wrong' }, { key: 'wrong' }, { hmac: '0'.repeat(40) }, { username: 'nobody at all' }]
    const bodies = await Promise.all(
      wrong.map(async (changes) => {
        const response = await post({ ...credentials({ username: `${username}` }), ...changes })
        assert.equal(response.status, 401)
        const { request_id: _, ...rest } = (await response.json()) as Record<string, unknown>
        return JSON.stringify(rest)
      }),
    )
    assert.equal(new Set(bodies).size, 1)
  })

  const failTenTimes = async ({ username }: { username: string }) => {
    for (let n = 0; n < 10; n++) assert.equal((await post(credentials({ username, password: 'wrong' }))).status, 401)
  }

  test('after ten failures of a user from one address it is 429 for them alone', async () => {
    const [victim, bystander] = [await accounts.user(), await accounts.user()]
    await failTenTimes(victim)
    const refused = await post(credentials({ username: victim.username, password: victim.password }))
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await post(credentials({ username: bystander.username, password: bystander.password }))).status, 200)
  })

  /** The emulator takes a dozen requests a second. */
  const [wrongAtOnce, rightAtOnce] = emulator === undefined ? [200, 50] : [30, 15]

  test('of two hundred wrong ones at once ten are compared, and the rest is refused for a while', async () => {
    const victim = await accounts.user()
    const guesses = Array.from({ length: wrongAtOnce }, (_, n) => credentials({ username: victim.username, password: `guess ${n}` }))
    const answers = await Promise.all(guesses.map((guess) => post(guess)))
    for (const answer of answers.filter(({ status }) => status !== 401)) {
      assert.equal(answer.status, 429)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
    }
    let compared = answers.filter(({ status }) => status === 401).length
    for (let n = 0; n < 20; n++) {
      if ((await post(credentials({ username: victim.username, password: `another guess ${n}` }))).status === 401) compared += 1
    }
    assert.equal(compared, 10)
  })

  test('fifty identical right ones at once all succeed, also after nine failures', async () => {
    const person = await accounts.user()
    for (let n = 0; n < 9; n++) await post(credentials({ username: person.username, password: `typo ${n}` }))
    const right = credentials({ username: person.username, password: person.password })
    const answers = await Promise.all(Array.from({ length: rightAtOnce }, () => post(right)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const tokens = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { token: string }).token))
    assert.equal(new Set(tokens).size, rightAtOnce)
  })

  test('a clock that is off is told by how much, whoever asks, and counts as no failure', async () => {
    const person = await accounts.user()
    for (const { username } of [person, { username: 'nobody at all' }]) {
      for (let n = 0; n < 11; n++) {
        const ts = now() - 3600
        const late = { username, password: person.password, ts, hmac: sign(service.demo.api_key, service.demo.api_secret, ts) }
        const response = await post(credentials(late))
        assert.equal(response.status, 401)
        const { code, message } = (await response.json()) as { code: string; message: string }
        assert.equal(code, 'clock_skew')
        assert.match(message, /36\d\d s behind/)
      }
    }
    assert.equal((await post(credentials({ username: person.username, password: person.password }))).status, 200)
    const { key, secret } = await accounts.key(['downloads'])
    const authorization = `SVC-HMAC Key=${key} HMAC=${sign(key, secret, now() + 900)} TS=${now() + 900}`
    const response = await service.request('/media/1', { headers: { authorization } })
    assert.equal(response.status, 401)
    assert.equal(((await response.json()) as { code: string }).code, 'clock_skew')
  })

  /** API Gateway renames this header of a function's answer. Nothing after it can restore the name in an error. */
  const challengeOf = ({ headers }: Response) => headers.get('www-authenticate') ?? headers.get('x-amzn-remapped-www-authenticate')

  test('a 401 names the scheme that is taken, also where another one came', async () => {
    const ask = async (path: string, authorization?: string) => {
      const response = await service.request(path, { headers: authorization === undefined ? {} : { authorization } })
      assert.equal(response.status, 401)
      const { message } = (await response.json()) as { message: string }
      return { challenge: challengeOf(response), message }
    }
    const right = 'SVC-SIMPLE-TOKEN Token=<token>'
    assert.deepEqual(await ask('/folder'), {
      challenge: 'SVC-SIMPLE-TOKEN',
      message: `Authorization is missing: send "Authorization: ${right}".`,
    })
    assert.equal((await ask('/folder', 'Bearer abc')).message, `Authorization must be "${right}", not Bearer.`)
    assert.equal((await ask('/folder', 'c2VjcmV0MQ==')).message, `Authorization must be "${right}".`)
    assert.equal((await ask('/media/1')).challenge, 'SVC-SIMPLE-TOKEN, SVC-HMAC')
    const refused = await post(credentials({ password: 'wrong' }))
    assert.equal(challengeOf(refused), 'SVC-SIMPLE-TOKEN')
    const reset = await service.request('/authenticate/userpass/reset', { method: 'POST', body: '{}' })
    assert.equal(challengeOf(reset), 'SVC-HMAC')
  })

  test('a quarter of an hour later they may try again', elsewhere, async () => {
    const victim = await accounts.user()
    await failTenTimes(victim)
    service.advance(901)
    const ts = now() + 901
    const later = { ts, hmac: sign(service.demo.api_key, service.demo.api_secret, ts) }
    assert.equal((await post(credentials({ username: victim.username, password: victim.password, ...later }))).status, 200)
    service.advance(-901)
  })

  test('a token ends when it is due', elsewhere, async () => {
    const authorization = await service.signIn()
    const status = async () => (await service.request('/folder', { headers: { authorization } })).status
    service.advance(30 * 86_400 - 60)
    assert.equal(await status(), 200)
    service.advance(61)
    assert.equal(await status(), 401)
    service.advance(-(30 * 86_400 + 1))
  })

  test('GET takes the authorization as query parameter in base64, other methods do not', async () => {
    const authorization = await service.signIn()
    const parameter = encodeURIComponent(Buffer.from(authorization).toString('base64'))
    assert.equal((await service.request(`/folder?Authorization=${parameter}`)).status, 200)
    const body = JSON.stringify({ name: 'x' })
    assert.equal((await service.request(`/folder?Authorization=${parameter}`, { method: 'POST', body })).status, 401)
  })

  test('an application with the downloads grant reads media, and nothing else', async () => {
    const { key, secret } = await accounts.key(['downloads'])
    const authorization = `SVC-HMAC Key=${key} HMAC=${sign(key, secret, now())} TS=${now()}`
    assert.equal((await service.request('/media/1', { headers: { authorization } })).status, 404)
    assert.equal((await service.request('/folder', { headers: { authorization } })).status, 401)
    const parameter = encodeURIComponent(Buffer.from(authorization).toString('base64'))
    assert.equal((await service.request(`/media/1/download_location?Authorization=${parameter}`)).status, 404)
  })

  test('no password, token, key or secret is ever logged', elsewhere, () => {
    const log = service.log.join('\n')
    const { password, api_key, api_secret } = service.demo
    assert.ok(log.includes('/authenticate/userpasshmac'), 'the log was looked at')
    for (const secret of [password, api_key, api_secret, 'SIMPLE-TOKEN']) assert.ok(!log.includes(secret))
  })
})

test('with another brand schemes, headers and fields carry it, and cookies do not', elsewhere, async () => {
  const service = await startService({ BRAND: 'CBX' })
  try {
    const authorization = await service.signIn()
    assert.match(authorization, /^CBX-SIMPLE-TOKEN /)
    const response = await service.request('/folder', { headers: { authorization } })
    assert.equal(response.status, 200)
    assert.ok(response.headers.get('x-cbx-request-id'))
    assert.equal((await service.request('/folder', { headers: { authorization: authorization.replace('CBX', 'SVC') } })).status, 401)

    const { cookie, headers } = await signInBrowser(service, service.demo)
    assert.match(cookie, /^session=/)
    const create = (body: object) => service.request('/clique', { method: 'POST', headers, body: JSON.stringify(body) })
    const clique = (await (await create({ name: 'Branded', cbx_id: service.demo.company_id })).json()) as { id: number }
    assert.deepEqual(clique, { id: clique.id, name: 'Branded', cbx_id: service.demo.company_id, thumbnail_id: null })
    assert.deepEqual(await (await service.request('/clique', { headers: { authorization } })).json(), [clique])
    const refused = (await (await create({ name: 'x' })).json()) as { message: string; errors: { path: string }[] }
    assert.deepEqual([refused.errors.map(({ path }) => path), /svc/.test(refused.message)], [['cbx_id'], false])
  } finally {
    await service.stop()
  }
})
