import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import PostalMime from 'postal-mime'
import { describe, test, vi } from 'vitest'
import { provisioning } from '../support/accounts.ts'
import { mailOutOfReach, mailsTo, mailTo } from '../support/mail.ts'
import { startMailServer } from '../support/mail-server.ts'
import { elsewhere, startService } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { hmacAuthorization } from '../support/successes.ts'

/** A page whose script runs without a browser. It has a form, a field and a line of status, and nothing else. */
interface OpenPage {
  /** Types a password and sends the form. Resolves when the page has the service's answer. */
  submit(password: string): Promise<void>
  status(): string
  formIsHidden(): boolean
  /** The address that the browser shows and keeps. */
  address(): string
}

/** Opens a page of the service. @param html of the answer */
function openPage(html: string, { baseUrl, path, hash }: { baseUrl: string; path: string; hash: string }): OpenPage {
  const script = /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1]
  assert.ok(script, 'the page has a script')
  const listeners = new Map<string, (event: { preventDefault(): void }) => Promise<void>>()
  const element = (extra: object = {}) => ({
    hidden: false,
    disabled: false,
    checked: false,
    type: 'password',
    value: '',
    textContent: '',
    addEventListener(type: string, listener: (event: { preventDefault(): void }) => Promise<void>) {
      listeners.set(type, listener)
    },
    ...extra,
  })
  const elements: Record<string, ReturnType<typeof element>> = {
    form: element({ querySelector: () => element() }),
    '#password': element(),
    '#show': element(),
    '#status': element(),
  }
  let address = path + hash
  runInNewContext(script, {
    document: { querySelector: (selector: string) => elements[selector] },
    location: { hash, pathname: path },
    history: {
      replaceState(_state: unknown, _title: string, shown: string) {
        address = shown
      },
    },
    URLSearchParams,
    fetch: (target: string, init: RequestInit) => fetch(new URL(target, baseUrl), init),
  })
  return {
    async submit(password) {
      elements['#password']!.value = password
      await listeners.get('submit')!({ preventDefault: () => undefined })
    },
    status: () => elements['#status']!.textContent,
    formIsHidden: () => elements.form!.hidden,
    address: () => address,
  }
}

const CODE = /^[\w-]{43}$/m
const PAGE = '/authenticate/userpass/reset/confirm'

describe('a forgotten password', async () => {
  const { service, accounts } = await serviceWithAccounts()
  const asApplication = async () => hmacAuthorization(await accounts.key(['password_reset']))
  const ask = async (username: string, authorization?: string) =>
    service.request('/authenticate/userpass/reset', {
      method: 'POST',
      headers: { authorization: authorization ?? (await asApplication()) },
      body: JSON.stringify({ username }),
    })
  const confirm = (body: object) => service.request(PAGE, { method: 'POST', body: JSON.stringify(body) })
  const forgetful = () => accounts.user({ username: `someone-${randomUUID()}@example.com` })

  test('is reset by a code from an e-mail; tokens from before are invalid at once', mailOutOfReach, async () => {
    const { username, password, authorization } = await forgetful()
    assert.equal((await ask('nobody')).status, 204)
    assert.equal((await ask(username)).status, 204)
    const mail = await mailTo(username, service)
    const code = CODE.exec(mail)?.[0]
    assert.ok(code, mail)
    assert.match(mail, new RegExp(`^http.*${PAGE}#code=${code}$`, 'm'), 'and a link to the page')

    assert.equal((await confirm({ code: 'wrong', password: 'a new password' })).status, 400)
    assert.equal((await confirm({ code, password: 'short' })).status, 400)
    assert.equal((await confirm({ code, password: 'a new password' })).status, 200)
    assert.equal((await confirm({ code, password: 'once more' })).status, 400, 'a code works once')
    assert.equal((await service.request('/folder', { headers: { authorization } })).status, 401)
    await assert.rejects(service.signIn({ username, password }), /401/)
    await service.signIn({ username, password: 'a new password' })
    for (const secret of ['a new password', code]) assert.ok(!service.log.join('\n').includes(secret), 'never logged')
  })

  test('is mailed once a minute, however often it is asked for', elsewhere, async () => {
    const { username } = await forgetful()
    const first = await asApplication()
    for (let n = 0; n < 5; n++) assert.equal((await ask(username, first)).status, 204)
    await mailTo(username, service)
    service.advance(120)
    const ts = Math.floor(Date.now() / 1000) + 120
    assert.equal((await ask(username, hmacAuthorization(await accounts.key(['password_reset']), ts))).status, 204)
    assert.equal((await mailsTo(username, service, 2)).length, 2)
    service.advance(-120)
  })

  test('of somebody without an e-mail address is a line in the log', elsewhere, async () => {
    const name = randomUUID()
    for (const username of [name, `${name}@a.test/.evil.test`, `${name}@a%2etest`, `${name}@127.1`]) {
      const { userId } = await accounts.user({ username })
      assert.equal((await ask(username)).status, 204)
      const isLine = (each: string) => each.includes('the user has no e-mail address') && each.includes(String(userId))
      await vi.waitUntil(() => service.log.some(isLine), { timeout: 20_000 })
    }
  })

  test('needs an application that was granted it', async () => {
    assert.equal((await ask('x', '')).status, 401)
    assert.equal((await ask('x', hmacAuthorization(await accounts.key(['downloads'])))).status, 403)
    assert.equal((await ask('x', await service.signIn())).status, 403)
  })

  test('is chosen anew on a page that is kept nowhere and loads nothing', async () => {
    const response = await service.request(PAGE)
    assert.equal(response.status, 200)
    const { headers } = response
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; /)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    const html = await response.text()
    assert.match(html, /<html lang="en">/)
    assert.match(html, /<meta name="viewport"/)
    assert.match(html, /<label for="password">/)
    assert.doesNotMatch(html, /\b(src|href|action)=|url\(|@import|https?:/)
  })

  test('the page takes the code out of its address and sets the password with it', mailOutOfReach, async () => {
    const { username } = await forgetful()
    await ask(username)
    const code = CODE.exec(await mailTo(username, service))![0]
    const open = async (hash: string) =>
      openPage(await (await service.request(PAGE)).text(), { baseUrl: service.baseUrl, path: PAGE, hash })

    const page = await open(`#code=${code}`)
    assert.equal(page.address(), PAGE, 'the code is in no history')
    await page.submit('short')
    assert.equal(page.status(), 'The password must be at least 8 characters.')
    await page.submit('chosen on the page')
    assert.match(page.status(), /^Your new password is set\./)
    assert.ok(page.formIsHidden())
    await service.signIn({ username, password: 'chosen on the page' })

    const again = await open(`#code=${code}`)
    await again.submit('once more once more')
    assert.match(again.status(), /used already, or it is too old/)
    const without = await open('')
    assert.match(without.status(), /lacks its code/)
    assert.ok(without.formIsHidden())
  })
})

test('with MAIL_URL the mail server gets the mail; while it refuses, the log has its words', elsewhere, async () => {
  let refusals = 0
  await using server = await startMailServer({ disabledCommands: ['STARTTLS'] }, () => refusals++ === 0)
  const service = await startService({ MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_SENDER: 'library@example.com' })
  const accounts = await provisioning(service)
  try {
    const { username } = await accounts.user({ username: 'anna@example.com' })
    const headers = { authorization: hmacAuthorization(await accounts.key(['password_reset'])) }
    await service.request('/authenticate/userpass/reset', { method: 'POST', headers, body: JSON.stringify({ username }) })
    await vi.waitFor(() => {
      service.advance(1)
      assert.equal(server.received.length, 1)
    }, 60_000)
    assert.ok(service.log.some((line) => JSON.parse(line).error?.causes.some((cause: string) => cause.includes('550 no such mailbox'))))
    const { to, from, text } = await PostalMime.parse(server.received[0]!)
    assert.deepEqual([to?.[0]?.address, from?.address], ['anna@example.com', 'library@example.com'])
    assert.match(text ?? '', CODE)
  } finally {
    accounts.close()
    await service.stop()
  }
})
