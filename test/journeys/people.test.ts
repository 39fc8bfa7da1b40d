import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test, vi } from 'vitest'
import { addUser } from '../../shared/library/accounts/provision.ts'
import { identityClaim } from '../../shared/library/accounts/sign-ons.ts'
import { findUser, userKey } from '../../shared/library/accounts/users.ts'
import { setGrants } from '../../shared/library/folders/grants.ts'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import { type CompanyId, toFolderId, toProviderId, type UserId } from '../../shared/vocabulary/ids.ts'
import { mailOutOfReach, mailsTo, mailTo } from '../support/mail.ts'
import { elsewhere } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { signInBrowser } from '../support/session.ts'
import { hmacAuthorization } from '../support/successes.ts'

const { service, accounts, person } = await serviceWithAccounts()

const PAGE = '/authenticate/userpass/reset/confirm'
const codeIn = (text: string) => /#code=([\w-]{43})$/m.exec(text)![1]!
const choose = (code: string, password: string) => service.request(PAGE, { method: 'POST', body: JSON.stringify({ code, password }) })
const unused = (name = 'person') => `${name}-${randomUUID()}`

/** A company with an admin, and another one. */
async function office() {
  const companyId = await accounts.company('Office')
  const admin = await person({ companyId, admin: true })
  const member = await person({ companyId })
  return { companyId, admin, member }
}

const add = async ({ client }: Person, companyId: CompanyId, body: object) =>
  client['create-company-user']({ params: { id: companyId }, body: { username: unused(), fullname: 'Anna Berg', ...body } })

/** A user without a password, who signs on at a provider. */
async function signedOn(companyId: CompanyId, admin = false) {
  const identity = { providerId: toProviderId(7), subject: randomUUID() }
  const input = {
    companyId,
    username: unused('provided'),
    fullname: 'Pia',
    email: `${unused()}@example.com`,
    admin,
    identities: [identity],
  }
  return addUser(accounts.library, input, (userId) => ({ identity: identityClaim(identity, userId, 0) }))
}

describe('the list of people', () => {
  test('has more of everybody for admins who ask, disabled ones too, and is kept nowhere', async () => {
    const { companyId, admin, member } = await office()
    const { body: made } = await add(admin, companyId, { email: 'invited@example.com' })
    await admin.client['change-user']({ params: { id: member.userId }, body: { disabled: true } })
    const { body: listed, headers } = await admin.client['list-company-users']({ params: { id: companyId }, query: { details: 1 } })
    assert.deepEqual([headers.get('cache-control'), headers.get('etag')], ['no-store', null])
    const by = (id: number) => listed.find((each) => each.id === id)
    assert.deepEqual(by(made.id), {
      ...{ id: made.id, fullname: 'Anna Berg', href: made.href, username: made.username, email: 'invited@example.com' },
      ...{ admin: false, disabled: false, last_seen: null, by_provider: false, invited: true },
    })
    assert.deepEqual([by(member.userId)?.disabled, by(member.userId)?.invited, by(member.userId)?.email], [true, false, null])
    assert.equal(by(admin.userId)?.admin, true)
    assert.ok(Math.abs(Date.parse(by(admin.userId)!.last_seen!) - Date.now()) < 600_000)
  })

  test('is as ever for others, and without the parameter', async () => {
    const { companyId, admin, member } = await office()
    for (const { client, query } of [
      { ...member, query: { details: 1 } },
      { ...admin, query: {} },
      { ...admin, query: { details: 0 } },
    ]) {
      const { body, headers } = await client['list-company-users']({ params: { id: companyId }, query })
      assert.deepEqual(Object.keys(body[0]!), ['id', 'fullname', 'href'])
      assert.equal(headers.get('cache-control'), 'private, no-cache')
    }
  })
})

describe('an invitation', () => {
  test('without an address gives one for choosing a password once, which a further one ends', async () => {
    const { companyId, admin } = await office()
    const { status, body } = await add(admin, companyId, {})
    assert.equal(status, 200)
    const [first, again] = [body.password_url!, (await admin.client['invite-user']({ params: { id: body.id } })).body.password_url!]
    assert.match(first, new RegExp(`^${service.baseUrl}${PAGE}#code=[\\w-]{43}$`))
    assert.equal((await choose(codeIn(first), 'a fine password')).status, 400, 'the earlier one has ended')
    assert.equal((await choose(codeIn(again), 'a fine password')).status, 200)
    assert.equal((await choose(codeIn(again), 'another password')).status, 400, 'it works once')
    await service.signIn({ username: body.username, password: 'a fine password' })
    const { body: third } = await admin.client['invite-user']({ params: { id: body.id } })
    await service.signIn({ username: body.username, password: 'a fine password' })
    assert.equal((await choose(codeIn(third.password_url!), 'the third password')).status, 200)
    await assert.rejects(service.signIn({ username: body.username, password: 'a fine password' }), /401/)
    assert.ok(!service.log.join('\n').includes(codeIn(third.password_url!)), 'never logged')
  })

  test('goes by mail, whose texts of people are harmless', mailOutOfReach, async () => {
    const companyId = await accounts.company('Office <img src=x onerror=alert(1)>')
    const admin = await person({ companyId, admin: true })
    const email = `${unused()}@example.com`
    const { body, status } = await add(admin, companyId, { fullname: '<img src=x onerror=alert(1)> \u{1F600} مرحبا', email })
    assert.deepEqual([status, body.password_url, body.invited], [200, undefined, true])
    const mail = await mailTo(email, service)
    assert.equal((await choose(codeIn(mail), 'a fine password')).status, 200)
    await service.signIn({ username: body.username, password: 'a fine password' })
  })

  test('is over after a week, and with the person’s departure; guesses open nothing', async () => {
    const { companyId, admin } = await office()
    const { body } = await add(admin, companyId, {})
    service.advance(7 * 86_400 + 1)
    try {
      assert.equal((await choose(codeIn(body.password_url!), 'a fine password')).status, 400)
    } finally {
      service.advance(-7 * 86_400 - 1)
    }
    const { body: left } = await add(admin, companyId, {})
    await admin.client['remove-company-user']({ params: { id: companyId, user_id: left.id } })
    const answer = await choose(codeIn(left.password_url!), 'a fine password')
    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [400, 'wrong_code'])
    const guesses = await Promise.all(Array.from({ length: 500 }, () => choose(randomUUID(), 'a fine password')))
    assert.deepEqual([...new Set(guesses.map((each) => each.status))], [400])
  })

  test('names that exist, addresses that are none, and texts that are too long are refused', async () => {
    const { companyId, admin, member } = await office()
    const other = await person({ companyId: await accounts.company('Elsewhere') })
    for (const { username } of [member, other]) {
      const answer = await add(admin, companyId, { username: username.toUpperCase() })
      assert.deepEqual([answer.status, (answer.body as unknown as { code: string }).code], [409, 'user_exists'])
    }
    const longest = `${'\u{1F600}'.repeat(218)}${randomUUID()}x`
    assert.equal([...longest].length, 255)
    const { status, body } = await add(admin, companyId, { username: longest, fullname: '\u{1F600}'.repeat(255) })
    assert.equal(status, 200)
    assert.equal((await choose(codeIn(body.password_url!), 'a fine password')).status, 200)
    await service.signIn({ username: longest, password: 'a fine password' })
    const wrong = [
      { fullname: 'x'.repeat(256) },
      { fullname: ' ' },
      { fullname: 'Anna\u202e' },
      { username: '' },
      { email: 'anna' },
      { email: 'anna@example.com\r\nBcc: all@example.com' },
      { email: 'a@example.com, b@example.com' },
    ]
    for (const each of wrong) assert.equal((await add(admin, companyId, each)).status, 400, JSON.stringify(each))
  })

  test('is for admins; who signs on at a provider, or is of a further company, gets none', async () => {
    const { companyId, admin, member } = await office()
    assert.equal((await add(member, companyId, {})).status, 403)
    assert.equal((await member.client['invite-user']({ params: { id: admin.userId } })).status, 403)
    const stranger = await person({ companyId: await accounts.company('Elsewhere'), admin: true })
    assert.equal((await add(stranger, companyId, {})).status, 404)
    assert.equal((await stranger.client['invite-user']({ params: { id: admin.userId } })).status, 404)
    const invite = async (id: UserId) => refusal(await admin.client['invite-user']({ params: { id } }))
    assert.deepEqual(await invite((await signedOn(companyId)).userId), [409, 'by_provider'])
    await joinCompany(accounts.library, member.userId, await accounts.company('Further'))
    assert.deepEqual(await invite(member.userId), [409, 'other_company'])
  })

  test('takes in again who belongs to no company any more, without their former password', async () => {
    const { companyId, admin, member } = await office()
    await admin.client['remove-company-user']({ params: { id: companyId, user_id: member.userId } })
    const next = await office()
    const { status, body } = await add(next.admin, next.companyId, { username: member.username, fullname: 'Another Anna', admin: true })
    assert.deepEqual(
      [status, body.id, body.fullname, body.admin, body.disabled, body.invited],
      [200, member.userId, 'Another Anna', true, false, true],
    )
    await assert.rejects(service.signIn({ username: member.username, password: member.password }), /401/)
    assert.equal((await member.client.whoami()).status, 401)
    assert.equal((await choose(codeIn(body.password_url!), 'a fine password')).status, 200)
    await service.signIn({ username: member.username, password: 'a fine password' })
    assert.equal((await add(admin, companyId, { username: member.username })).status, 409)
  })

  test('is made although mail is down: a job sends it later', elsewhere, async () => {
    // An address that no mail server takes fails like a server that is down: see the journey of forgotten passwords for that one.
    const { companyId, admin } = await office()
    const { body } = await add(admin, companyId, { email: 'late@example.com' })
    assert.equal(body.password_url, undefined)
    const { body: jobs } = await admin.client['list-failed-jobs']({ params: { id: companyId } })
    assert.deepEqual(jobs.jobs, [])
  })
})

type Answer = { status: number; body: unknown }
const refusal = ({ status, body }: Answer): [number, string] => [status, (body as { code: string }).code]

describe('a person', () => {
  test('is changed by admins; name and address also by oneself', async () => {
    const { companyId, admin, member } = await office()
    const change = async (by: Person, id: number, body: object) => by.client['change-user']({ params: { id }, body })
    const { body } = await change(admin, member.userId, { fullname: 'Anna Holm', email: 'Anna@Example.com', admin: true })
    assert.deepEqual([body.fullname, body.email, body.admin], ['Anna Holm', 'Anna@example.com', true])
    await change(admin, member.userId, { admin: false })
    assert.deepEqual((await change(member, member.userId, { fullname: 'Anna', email: null })).body.email, null)
    for (const each of [{ admin: true }, { disabled: true }]) assert.equal((await change(member, member.userId, each)).status, 403)
    assert.equal((await change(member, admin.userId, { fullname: 'X' })).status, 403)
    const stranger = await person({ companyId: await accounts.company('Elsewhere'), admin: true })
    assert.equal((await change(stranger, member.userId, { fullname: 'X' })).status, 404)
    assert.equal((await change(admin, member.userId, { password: 'x' })).status, 400)
    assert.equal(companyId, (await member.client.whoami()).body.company_id)
  })

  test('who is disabled has no tokens and sessions at once', async () => {
    const { admin, member } = await office()
    const browser = await signInBrowser(service, member)
    assert.equal((await admin.client['change-user']({ params: { id: member.userId }, body: { disabled: true } })).body.disabled, true)
    assert.deepEqual([(await member.client.whoami()).status, (await browser.get('/whoami')).status], [401, 401])
    await admin.client['change-user']({ params: { id: member.userId }, body: { disabled: false } })
    assert.deepEqual([(await member.client.whoami()).status, (await browser.get('/whoami')).status], [401, 401])
    await service.signIn(member)
  })

  test('another address ends what was sent to the former one', async () => {
    const { companyId, admin } = await office()
    const { body } = await add(admin, companyId, {})
    await admin.client['change-user']({ params: { id: body.id }, body: { email: 'right@example.com' } })
    assert.equal((await choose(codeIn(body.password_url!), 'a fine password')).status, 400)
  })

  test('who belongs to a further company is theirs alone, but for role and leaving', async () => {
    const { companyId, admin, member } = await office()
    const second = await accounts.company('Second')
    const other = await person({ companyId: second, admin: true })
    await joinCompany(accounts.library, member.userId, second)
    const change = async (by: Person, body: object) => by.client['change-user']({ params: { id: member.userId }, body })
    for (const each of [{ email: 'evil@example.com' }, { disabled: true }, { fullname: 'X', email: 'evil@example.com' }])
      assert.deepEqual(refusal(await change(admin, each)), [409, 'other_company'])
    assert.equal((await change(member, { email: 'own@example.com' })).status, 200)
    assert.equal((await change(other, { admin: true })).body.admin, true)
    const listed = async (by: Person, id: CompanyId) =>
      (await by.client['list-company-users']({ params: { id }, query: { details: 1 } })).body.find((each) => each.id === member.userId)
    assert.deepEqual([(await listed(admin, companyId))?.admin, (await listed(other, second))?.admin], [false, true])
  })

  test('the last admin who can sign in stays one', async () => {
    const { companyId, admin } = await office()
    const last = async (by: Person, body: object) => refusal(await by.client['change-user']({ params: { id: admin.userId }, body }))
    const { body: invited } = await add(admin, companyId, { admin: true })
    assert.equal(invited.admin, true)
    for (const each of [{ admin: false }, { disabled: true }]) assert.deepEqual(await last(admin, each), [409, 'last_admin'])
    const leave = async () => refusal(await admin.client['remove-company-user']({ params: { id: companyId, user_id: admin.userId } }))
    assert.deepEqual(await leave(), [409, 'last_admin'])
    await signedOn(companyId, true)
    const { status, body } = await admin.client['change-user']({ params: { id: admin.userId }, body: { admin: false } })
    assert.deepEqual([status, body.admin], [200, false])
  })

  test('two admins who disable each other at the same time: one stays', async () => {
    const { companyId, admin } = await office()
    const other = await person({ companyId, admin: true })
    const disable = (by: Person, { userId }: Person) => by.client['change-user']({ params: { id: userId }, body: { disabled: true } })
    await Promise.all([disable(admin, other), disable(other, admin)])
    const users = await Promise.all([admin, other].map(({ userId }) => findUser(accounts, userId)))
    assert.equal(users.filter((user) => !user?.disabled).length, 1)
  })
})

describe('leaving a company', () => {
  test('ends rights, groups, share links, and tokens by its keys; sessions go on where another company is left', async () => {
    const { companyId, admin, member } = await office()
    const second = await accounts.company('Second')
    await joinCompany(accounts.library, member.userId, second)
    const key = await accounts.key([], companyId)
    const tokenBy = async ({ key: name, secret }: { key: string; secret: string }) => {
      const [, hmac, ts] = /HMAC=(\w+) TS=(\d+)/.exec(hmacAuthorization({ key: name, secret }))!
      const body = JSON.stringify({ username: member.username, password: member.password, key: name, ts: Number(ts), hmac })
      const answer = await service.request('/authenticate/userpasshmac', { method: 'POST', body })
      return service.client(`SVC-SIMPLE-TOKEN Token=${((await answer.json()) as { token: string }).token}`)
    }
    const [byKey, byOther] = [await tokenBy(key), await tokenBy(await accounts.key([], second))]
    const browser = await signInBrowser(service, member)
    const { id: folder } = (await admin.client['create-folder']({ body: { name: 'Folder', parent: null, company_id: companyId } })).body
    await setGrants(accounts.library, toFolderId(folder), member.userId, () => ['READ', 'WRITE'])
    const { id: clique } = (await admin.client['create-clique']({ body: { name: 'Group', svc_id: companyId } })).body
    await admin.client['add-clique-member']({ params: { id: clique, user_id: member.userId } })
    const { body: link } = await member.client['create-share']({ body: { folder_id: folder } })
    const secret = link.url!.split('/').at(-1)!
    assert.equal((await service.request(`/s/${secret}/contents`)).status, (await service.request(`/s/${secret}/contents`)).status)

    const { status, body } = await admin.client['remove-company-user']({ params: { id: companyId, user_id: member.userId } })
    assert.deepEqual([status, body], [200, {}])
    assert.deepEqual([(await byKey.whoami()).status, (await byOther.whoami()).status], [401, 200])
    assert.equal((await browser.get('/whoami')).status, 200)
    assert.deepEqual((await byOther.whoami()).body.companies, [second])
    assert.equal((await byOther['get-folder']({ params: { id: folder } })).status, 404)
    assert.deepEqual((await admin.client['list-clique-members']({ params: { id: clique } })).body, [])
    assert.deepEqual((await admin.client['list-shares']({})).body.shares, [])
    assert.equal((await admin.client['remove-company-user']({ params: { id: companyId, user_id: member.userId } })).status, 404)
    // Nothing of it comes back.
    await joinCompany(accounts.library, member.userId, companyId)
    assert.equal((await byOther['get-folder']({ params: { id: folder } })).status, 404)
    assert.equal((await byKey.whoami()).status, 401)
    assert.equal((await (await tokenBy(key)).whoami()).status, 200)
  })

  test('who belongs to none is disabled', async () => {
    const { companyId, admin, member } = await office()
    const browser = await signInBrowser(service, member)
    await admin.client['remove-company-user']({ params: { id: companyId, user_id: member.userId } })
    assert.deepEqual([(await member.client.whoami()).status, (await browser.get('/whoami')).status], [401, 401])
    await assert.rejects(service.signIn(member), /401/)
    assert.equal((await findUser(accounts, member.userId))?.disabled, true)
    assert.equal((await admin.client['get-user']({ params: { id: member.userId } })).status, 404)
  })

  test('is for admins', async () => {
    const { companyId, admin, member } = await office()
    const remove = async (by: Person, user_id: number) =>
      (await by.client['remove-company-user']({ params: { id: companyId, user_id } })).status
    assert.equal(await remove(member, admin.userId), 403)
    assert.equal(await remove(await person({ companyId: await accounts.company('Elsewhere'), admin: true }), member.userId), 404)
    assert.equal(await remove(admin, 1), 404)
  })
})

describe('one’s own password', () => {
  const change = async (headers: Record<string, string>, body: object) =>
    service.request('/session/password', { method: 'POST', headers, body: JSON.stringify(body) })

  test('is changed by the current one: other sessions and all tokens end, this one goes on', async () => {
    const user = await person()
    const [browser, other] = [await signInBrowser(service, user), await signInBrowser(service, user)]
    const answer = await change(browser.headers, { current: user.password, new: 'four other words' })
    assert.deepEqual([answer.status, await answer.json()], [200, {}])
    assert.deepEqual([(await browser.get('/whoami')).status, (await other.get('/whoami')).status], [200, 401])
    assert.equal((await user.client.whoami()).status, 401)
    await service.signIn({ username: user.username, password: 'four other words' })
  })

  test('weak ones and wrong ones are refused, and guesses counted with those of sign-in', elsewhere, async () => {
    const user = await person()
    const { headers } = await signInBrowser(service, user)
    for (const weak of ['1234567', '\u{1F600}'.repeat(7), user.username.toUpperCase(), 'x'.repeat(1025)]) {
      const answer = await change(headers, { current: user.password, new: weak })
      assert.deepEqual(refusal({ status: answer.status, body: await answer.json() }), [400, 'weak_password'], weak)
    }
    for (let n = 0; n < 10; n++) {
      const answer = await change(headers, { current: `wrong ${n}`, new: 'four other words' })
      assert.deepEqual(refusal({ status: answer.status, body: await answer.json() }), [403, 'wrong_password'])
    }
    assert.equal((await change(headers, { current: user.password, new: 'four other words' })).status, 429)
    await assert.rejects(service.signIn(user), /429/)
  })

  test('of somebody who signs on at a provider there is none', async () => {
    const user = await person()
    const { headers } = await signInBrowser(service, user)
    const identities = [{ providerId: toProviderId(7), subject: 'anna' }]
    await accounts.table.update(userKey(user.userId), { set: { identities }, remove: ['passwordHash'] })
    const answer = await change(headers, { current: user.password, new: 'four other words' })
    assert.deepEqual(refusal({ status: answer.status, body: await answer.json() }), [409, 'by_provider'])
  })
})

describe('a forgotten password', () => {
  /** Each asks from a network of its own, but on AWS, which sees the real one. */
  const forgot = async (body: unknown) => service.request('/session/forgot', { method: 'POST', body: JSON.stringify(body) })

  test('is mailed an address that works once and for an hour, and ends earlier ones', mailOutOfReach, async () => {
    const email = `${unused()}@example.com`
    await accounts.user({ username: email })
    assert.equal((await forgot({ username: email })).status, 204)
    const first = codeIn(await mailTo(email, service))
    assert.equal((await forgot({ username: email.toUpperCase() })).status, 204)
    await mailsTo(email, service, 2)
    const codes = (await mailsTo(email, service, 2)).map(codeIn)
    const good = await Promise.all(codes.filter((code) => code !== first).map((code) => choose(code, 'a fine password')))
    assert.deepEqual(
      good.map(({ status }) => status),
      [200],
    )
    assert.equal((await choose(first, 'a fine password')).status, 400)
    await service.signIn({ username: email, password: 'a fine password' })
  })

  test(
    'unknown names, disabled ones and those of providers get the same answer and no mail; malformed ones are 400',
    elsewhere,
    async () => {
      const { userId, username } = await accounts.user({ username: `${unused()}@example.com` })
      const companyId = (await findUser(accounts, userId))!.companies[0]!.companyId
      await accounts.table.update(userKey(userId), { set: { disabled: true } })
      const provided = await signedOn(companyId)
      for (const each of [username, provided.username, 'x'.repeat(300)]) assert.equal((await forgot({ username: each })).status, 204)
      for (const each of [{}, { username: 5 }, [], 'x']) assert.equal((await forgot(each)).status, 400)
      const last = `${unused()}@example.com`
      await accounts.user({ username: last })
      await forgot({ username: last })
      await mailTo(last, service)
      await vi.waitFor(async () => assert.deepEqual(await mailsTo(username, service, 0), []))
      assert.deepEqual(await mailsTo(provided.email!, service, 0), [])
    },
  )
})
