import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { openEmbeddedBackend } from '../../../../infra/local/backend/embedded-backend.ts'
import { demoIntroduction } from '../../../../infra/local/demo/introduction.ts'
import { mailPath } from '../../../../infra/local/mail/pages.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { openEmbeddedMail } from '../../../../shared/backends/mail/embedded.ts'
import type { Email } from '../../../../shared/backends/mail/port.ts'
import { freePort } from '../../../support/aws/free-port.ts'
import { mailTo } from '../../../support/mail.ts'
import { type Service, startService } from '../../../support/service.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { hmacAuthorization } from '../../../support/successes.ts'

/** Where the pages are. */
const pagesOf = ({ demo, baseUrl }: Pick<Service, 'demo' | 'baseUrl'>) => demo.mail_url?.slice(baseUrl.length) ?? ''

/** Asks as a client does that may say anything in its headers. */
async function ask(
  service: Pick<Service, 'baseUrl'>,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: OutgoingHttpHeaders } = {},
) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: Record<string, unknown>; body: string }>()
  request(`${service.baseUrl}${path}`, { method, headers }, async (response) =>
    resolve({ status: response.statusCode!, headers: response.headers, body: await text(response) }),
  )
    .on('error', reject)
    .end()
  return promise
}

/** Writes an e-mail as the service does. @param ago seconds */
async function send(service: Service, email: Email, ago = 0): Promise<void> {
  const folder = join(service.directory!, 'mail')
  await openEmbeddedMail({ folder, sender: 'library@example.com', clock: { ...systemClock, now: () => Date.now() - ago * 1000 } }).send(
    email,
  )
}

/** Where the pages of a library are, also where its demo.json doesn't tell. */
async function pagesIn(directory: string): Promise<string> {
  const about = { directory, baseUrl: 'http://127.0.0.1', mailSender: 'library@example.com', clock: systemClock }
  const { mailSecret, close } = await openEmbeddedBackend(about)
  await close()
  return mailPath(mailSecret)
}

/** A part of a message that is nested too deeply to be read. */
const part = (_: unknown, depth: number) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`

const linkTo = (page: string, subject: string) =>
  new RegExp(`<a href="(/_local/mail/[\\w-]{43}/[^"]+)">${subject}</a>`).exec(page)?.[1] ?? ''

describe('the page of e-mails', async () => {
  const { service, accounts } = await serviceWithAccounts()
  const PAGE = pagesOf(service)

  test('is empty before the first e-mail, is kept nowhere, tells nobody where it was, and lets no other site read it', async () => {
    assert.match((await ask(service, PAGE)).body, /There are no e-mails\./)
    for (const [path, expected] of [
      [PAGE, 200],
      [`${PAGE}/missing.eml`, 404],
    ] as const) {
      const { status, headers } = await ask(service, path)
      assert.equal(status, expected)
      assert.match(String(headers['x-svc-request-id']), /^[\da-f-]{36}$/)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['access-control-allow-origin'], undefined)
    }
  })

  test('shows an e-mail of the service, from the list to the code in it', async () => {
    const { username } = await accounts.user({ username: 'anna@example.com' })
    const headers = { authorization: hmacAuthorization(await accounts.key(['password_reset'])) }
    await service.request('/authenticate/userpass/reset', { method: 'POST', headers, body: JSON.stringify({ username }) })
    const [code = 'none'] = /^[\w-]{43}$/m.exec(await mailTo(username, service)) ?? []

    const list = (await ask(service, PAGE)).body
    assert.match(list, /anna@example\.com/)
    const mail = await ask(service, linkTo(list, 'SVC: Your new password'))
    assert.equal(mail.status, 200)
    assert.match(mail.body, /<dd>&#60;anna@example\.com&#62;<\/dd>/)
    assert.match(mail.body, /Content-Type: multipart\/alternative/)
    assert.ok(mail.body.includes(`<pre>Your new password\n\nHello`) && mail.body.includes(code))
    const [, frame = ''] = /<iframe src="([^"]+)" sandbox="allow-popups allow-popups-to-escape-sandbox"/.exec(mail.body) ?? []
    const html = (await ask(service, frame)).body
    assert.match(html, /<a target="_blank" rel="noopener noreferrer" href="http[^"]+#code=/)
  })

  test('lets hostile text and HTML do nothing', async () => {
    const attack = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
    await send(service, { to: 'b@example.com', subject: `Attack ${attack}`, text: attack, html: `<A\nhref=x>y</A>${attack}` })
    const list = await ask(service, PAGE)
    const [, path = ''] = /<a href="([^"]+)">Attack/.exec(list.body) ?? []
    const mail = await ask(service, path)
    for (const { body, headers } of [list, mail]) {
      assert.doesNotMatch(body, /<(script|img)/)
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'; frame-src 'self'$/,
      )
    }
    const { headers, body } = await ask(service, `${path}/html`)
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; .*; sandbox allow-popups allow-popups-to-escape-sandbox$/,
    )
    assert.match(body, /<A target="_blank" rel="noopener noreferrer"\nhref=x>/)
  })

  test('shows nothing but the files of the outbox', async () => {
    const folder = join(service.directory!, 'mail')
    mkdirSync(join(folder, 'folder'), { recursive: true })
    mkdirSync(join(folder, 'folder.eml'))
    writeFileSync(join(folder, '.hidden.eml'), 'x')
    writeFileSync(join(folder, 'odd.eml'), `X: ${'x'.repeat(100)}\r\n`.repeat(1000) + Array.from({ length: 300 }, part).join(''))
    const unreadable = ['.hidden.eml', 'folder.eml', 'odd.eml', 'folder', 'folder/html']
    const paths = ['missing.eml', '../demo.json', '..%2fdemo.json', '%00.eml', ...unreadable]
    for (const name of paths) {
      const { status, body } = await ask(service, `${PAGE}/${name}`)
      assert.equal(status, 404, name)
      assert.doesNotMatch(body, /api_secret/)
    }
    const known = linkTo((await ask(service, PAGE)).body, 'SVC: Old 1')
    for (const path of [`${known}/text`, `${known}/html/more`]) assert.equal((await ask(service, path)).status, 404, path)
    assert.equal((await ask(service, `${PAGE}/`)).status, 200)
  })

  test('is a path like any unknown one to everybody but this machine', async () => {
    const unknown = await ask(service, '/_local/unknown')
    const strangers: OutgoingHttpHeaders[] = [{ host: 'media.example.com' }, { 'x-forwarded-for': '192.0.2.1' }]
    for (const headers of strangers) {
      const { status, body } = await ask(service, PAGE, { headers })
      assert.equal(status, 404, JSON.stringify(headers))
      const { request_id, ...error } = JSON.parse(body)
      const { request_id: _, ...same } = JSON.parse(unknown.body)
      assert.deepEqual(error, same)
    }
    assert.equal((await ask(service, PAGE, { method: 'POST' })).status, 404)
    for (const path of ['/_local/mail', '/_local/mail/', `${PAGE}x`, PAGE.slice(0, -1), `/_local/mail/${'a'.repeat(43)}`])
      assert.equal((await ask(service, path)).status, 404, path)
    const { status, body } = await ask(service, PAGE, { method: 'HEAD' })
    assert.deepEqual([status, body], [200, ''])
  })
})

test('behind a proxy nobody sees the page, and the introduction names it only where it can be seen', async () => {
  const port = await freePort()
  const service = await startService({ PORT: String(port), BASE_URL: 'https://media.example.com' })
  try {
    const local = { baseUrl: `http://127.0.0.1:${port}` }
    const pages = await pagesIn(service.directory!)
    assert.equal((await ask(local, pages)).status, 404)
    const link = await ask(local, '/-/links/demo/nothing')
    assert.deepEqual([link.status, link.headers['strict-transport-security']], [404, 'max-age=31536000'])
    assert.equal(service.demo.mail_url, undefined)
    assert.doesNotMatch(demoIntroduction(service.demo, 'SVC', 'demo.json'), /mail/i)
    const mail_url = 'http://127.0.0.1:4000/_local/mail/secret'
    assert.ok(demoIntroduction({ ...service.demo, mail_url }, 'SVC', 'demo.json').endsWith(`${mail_url}\n`))
  } finally {
    await service.stop()
  }
})
