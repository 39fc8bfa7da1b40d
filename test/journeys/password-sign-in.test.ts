import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { runCommand } from '../infra/admin/run-command.ts'
import { elsewhere } from '../support/service.ts'
import { signInBrowser } from '../support/session.ts'
import { serviceWithSignOn } from '../support/signing-on.ts'

describe('a company that signs in at its providers alone', elsewhere, async () => {
  const { service, accounts, addProvider, operate } = await serviceWithSignOn()

  const set = (choice: '--on' | '--off', company: number = service.demo.company_id) =>
    operate('company', 'set-password-sign-in', '--company', String(company), choice)
  const answerTo = async (credentials: object) => {
    const response = await service.request('/session', { method: 'POST', body: JSON.stringify(credentials) })
    const { code, message } = (await response.json()) as { code?: string; message?: string }
    return { status: response.status, code, message }
  }
  const works = async (authorization: string) => (await service.request('/folder', { headers: { authorization } })).status === 200

  test('its members are refused in words, its admins and other companies’ users are not', async () => {
    const { username, password } = await accounts.user()
    const admin = await accounts.user({ admin: true })
    const other = await accounts.user({ companyId: await accounts.company('Elsewhere') })
    assert.deepEqual(await set('--off'), { company_id: service.demo.company_id, password_sign_in: false })
    for (const more of [{}, { token: true }]) {
      const { status, code, message } = await answerTo({ username, password, ...more })
      assert.deepEqual([status, code], [403, 'password_sign_in_off'])
      assert.equal(message, 'Your company signs in at its provider, and not by password.')
    }
    await assert.rejects(service.signIn({ username, password }), /403.*password_sign_in_off/s)
    for (const { username, password } of [admin, other]) {
      assert.equal((await answerTo({ username, password })).status, 200)
      await service.signIn({ username, password })
    }
    await set('--on')
    assert.equal((await answerTo({ username, password })).status, 200)
    await service.signIn({ username, password })
  })

  test('a wrong password says nothing of it', async () => {
    const { username } = await accounts.user()
    const before = await answerTo({ username, password: 'wrong' })
    await set('--off')
    assert.deepEqual(await answerTo({ username, password: 'wrong' }), before)
    assert.deepEqual(await answerTo({ username: 'nobody', password: 'wrong' }), before)
    await set('--on')
  })

  test('sessions and tokens of its members are over, those of admins and others stay', async () => {
    const member = await accounts.user()
    const admin = await accounts.user({ admin: true })
    const other = await accounts.user({ companyId: await accounts.company('Elsewhere') })
    const browser = await signInBrowser(service, member)
    await set('--off')
    assert.deepEqual(
      [await works(member.authorization), await works(admin.authorization), await works(other.authorization)],
      [false, true, true],
    )
    assert.equal((await browser.get('/session')).status, 401)
    await set('--on')
    assert.equal(await works(member.authorization), false)
  })

  test('tokens and sessions of who becomes an ordinary member there are over: of an admin who is none any more, and of who joins', async () => {
    const company = await accounts.company('Elsewhere')
    await accounts.user({ admin: true, companyId: company })
    const revoked = await accounts.user({ admin: true, companyId: company })
    const [joining, granted] = [await accounts.user(), await accounts.user()]
    const browser = await signInBrowser(service, revoked)
    const at = (username: string) => ['--username', username, '--company', String(company)]
    await set('--off', company)
    assert.deepEqual([await works(revoked.authorization), await works(joining.authorization)], [true, true])
    for (let twice = 0; twice < 2; twice++) await operate('admin', 'revoke', ...at(revoked.username))
    await operate('user', 'join', ...at(joining.username))
    assert.deepEqual([await works(revoked.authorization), await works(joining.authorization)], [false, false])
    assert.equal((await browser.get('/session')).status, 401)
    await set('--on', company)
    await operate('admin', 'grant', ...at(joining.username))
    await operate('user', 'join', ...at(granted.username))
    const { username, password } = joining
    const authorization = await service.signIn({ username, password })
    await operate('admin', 'revoke', ...at(username))
    assert.deepEqual([await works(authorization), await works(granted.authorization)], [true, true])
  })

  test('who is a member of several is refused where one of them says so', async () => {
    const company = await accounts.company('Elsewhere')
    const { username, password } = await accounts.user({ admin: true })
    await operate('user', 'join', '--username', username, '--company', String(company))
    await set('--off', company)
    assert.equal((await answerTo({ username, password })).code, 'password_sign_in_off')
    await operate('admin', 'grant', '--username', username, '--company', String(company))
    assert.equal((await answerTo({ username, password })).status, 200)
  })

  test('the operator says which, and is warned where nobody but admins could sign in', async () => {
    const company = ['company', 'set-password-sign-in', '--company', String(service.demo.company_id)]
    await assert.rejects(operate(...company), /either --on or --off/)
    await assert.rejects(operate(...company, '--on', '--off'), /either --on or --off/)
    await assert.rejects(set('--off', 1), /There is no company 1/)
    const { code, error } = await runCommand(service.directory!, [...company, '--off'])
    assert.deepEqual([code, error.includes('has no provider')], [0, true], error)
    await addProvider()
    assert.equal((await runCommand(service.directory!, [...company, '--off'])).error, '')
    await set('--on')
  })
})
