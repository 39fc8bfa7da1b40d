import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { describe, test, vi } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { mailsTo, mailTo } from '../support/mail.ts'
import { startMailServer } from '../support/mail-server.ts'
import { elsewhere, startService } from '../support/service.ts'

const hostile = '<img src=x onerror=alert(1)> \u{1F600} مرحبا'

/** A service of its own with an admin, because limits count by source. */
async function serviceOfOffice(environment?: Record<string, string>) {
  const service = await startService(environment)
  const accounts = await provisioning(service)
  const companyId = await accounts.company(`Office ${hostile}`)
  const admin = await accounts.user({ companyId, admin: true })
  return {
    ...{ service, accounts, companyId },
    client: await service.client(admin.authorization),
    forgot: (username: string) => service.request('/session/forgot', { method: 'POST', body: JSON.stringify({ username }) }),
    async [Symbol.asyncDispose]() {
      accounts.close()
      await service.stop()
    },
  }
}

describe('mail to people', elsewhere, () => {
  test('that a server refuses at first is sent later, escaped; the person is there at once', async () => {
    let isDown = true
    const options = {
      disabledCommands: ['STARTTLS'],
      onMailFrom(_: unknown, __: unknown, callback: (error?: Error | null) => void) {
        callback(isDown ? Object.assign(new Error('try again later'), { responseCode: 451 }) : null)
      },
    }
    await using server = await startMailServer(options)
    await using office = await serviceOfOffice({ MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_SENDER: 'library@example.com' })
    const { service, client, companyId } = office
    await client['change-brand']({ params: { id: companyId }, body: { name: 'Harbour Press' } })
    const body = { username: `person-${randomUUID()}`, fullname: hostile, email: 'anna@example.com' }
    const { status, body: made } = await client['create-company-user']({ params: { id: companyId }, body })
    assert.deepEqual([status, made.fullname, made.invited], [200, hostile, true])
    const { body: jobs } = await vi.waitFor(async () => {
      service.advance(30)
      const listed = await client['list-failed-jobs']({ params: { id: companyId } })
      assert.equal(listed.body.jobs.length, 1)
      return listed
    }, 60_000)
    assert.equal(jobs.jobs[0]?.kind, 'send-mail')
    isDown = false
    await client['retry-failed-jobs']({ params: { id: companyId }, body: { job_ids: [jobs.jobs[0]!.job_id] } })
    await vi.waitFor(() => assert.equal(server.received.length, 1), 60_000)
    const { html = '', text = '', subject = '', to } = await PostalMime.parse(server.received[0]!)
    assert.equal(to?.[0]?.address, 'anna@example.com')
    assert.doesNotMatch(html, /<img/)
    for (const part of [html, text]) assert.match(part, /\/authenticate\/userpass\/reset\/confirm#code=[\w-]{43}/)
    assert.match(text, /Hello <img src=x onerror=alert\(1\)> /)
    assert.match(subject, /^Harbour Press: Your invitation to Office/)
    const code = /#code=([\w-]{43})/.exec(text)![1]
    const chosen = JSON.stringify({ code, password: 'a fine password' })
    assert.equal((await service.request('/authenticate/userpass/reset/confirm', { method: 'POST', body: chosen })).status, 200)
    assert.ok(!service.log.join('\n').includes(code!), 'never logged')
  })

  test('with a forgotten password goes five times an hour and name; a source asks twenty times', async () => {
    await using office = await serviceOfOffice()
    const { service, accounts, forgot } = office
    const [one, other] = [`one-${randomUUID()}@example.com`, `other-${randomUUID()}@example.com`]
    for (const username of [one, other]) await accounts.user({ username })
    for (let n = 0; n < 7; n++) assert.equal((await forgot(n % 2 === 0 ? one : one.toUpperCase())).status, 204)
    for (let n = 0; n < 12; n++) assert.equal((await forgot(`nobody-${n}`)).status, 204)
    assert.equal((await forgot(other)).status, 204)
    const refused = await forgot(other)
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 3600, String(wait))
    await mailTo(other, service)
    assert.equal((await mailsTo(one, service, 5)).length, 5)
    service.advance(3600)
    assert.equal((await forgot(one)).status, 204)
    assert.equal((await mailsTo(one, service, 6)).length, 6)
  })
})
