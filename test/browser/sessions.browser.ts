import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { serviceWithBrowser } from '../support/service-with-browser.ts'
import { uploadAndImport } from '../support/uploading.ts'

/** A script that tries to read the session, and to change something with it, and leaves what it got where the test finds it. */
const theft = (base: string) => `
  (async () => {
    const got = {}
    const attempt = async (name, act) => { try { got[name] = await act() } catch (error) { got[name] = 'refused' } }
    await attempt('read', async () => (await fetch('${base}/session', { credentials: 'include' })).text())
    await attempt('opaque', async () => (await fetch('${base}/session', { credentials: 'include', mode: 'no-cors' })).type)
    await attempt('change', async () => (await fetch('${base}/folder', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"name":"Stolen"}' })).type)
    await attempt('signOut', async () => (await fetch('${base}/session', { method: 'DELETE', credentials: 'include' })).status)
    await attempt('cookie', async () => document.cookie)
    window.__got = got
  })()`

describe('a session in a browser', withBrowser, async () => {
  const { service, browser, client } = await serviceWithBrowser()
  /** Pages of other people. Seen from `127.0.0.1`, another port is a neighbouring host of the same site, `localhost` another site. */
  let others: Server
  let pages: Map<string, string>
  let port: number
  beforeAll(async () => {
    pages = new Map()
    others = createServer(({ url = '/', headers }, response) => {
      if (url.startsWith('/redirect')) response.writeHead(302, { location: `${service.baseUrl}/session` }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end(pages.get(url) ?? `<p>${headers.host}</p>`)
    }).listen(0)
    await once(others, 'listening')
    port = (others.address() as AddressInfo).port
  })
  afterAll(() => void others.close())

  /** Runs in a page of the API's own host. */
  const request = (page: Page, path: string, init: RequestInit = {}) =>
    page.evaluate(
      async ([url, given]) => {
        const response = await fetch(url!, given as RequestInit)
        return { status: response.status, body: (await response.json()) as Record<string, string> }
      },
      [path, init] as [string, RequestInit],
    )

  /** A browser that is signed in, with a page of the API's own host. */
  async function signedIn(options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await page.goto(`${service.baseUrl}/docs`)
    const { username, password } = service.demo
    const { status, body } = await request(page, '/session', { method: 'POST', body: JSON.stringify({ username, password }) })
    assert.equal(status, 200)
    return { context, page, csrf: body.csrf! }
  }

  const folders = async () => (await client['list-folders']()).body.map(({ name }) => name)

  /** Publishes a file through the API. @returns its link */
  async function publish(bytes: Buffer, filename: string): Promise<string> {
    const id = Number((await uploadAndImport(client, service.demo.folder_id, bytes, filename)).id)
    await client['copy-media']({ params: { id, folderId: service.demo.cdn_folder_id! } })
    const urls = async () =>
      (await client['search-media']({ query: { unique_media_id: id, return_values: 'cdn_urls' } })).body.response.media[0]?.cdn_urls ?? []
    await expect.poll(urls, { timeout: 60_000 }).toHaveLength(1)
    return (await urls())[0]!
  }

  test('is there after a reload, cannot be read by a script, and changes things with its csrf alone', async () => {
    const { context, page, csrf } = await signedIn()
    await page.reload()
    assert.equal((await request(page, '/session')).body.csrf, csrf)
    assert.equal(await page.evaluate('document.cookie'), '')
    const body = JSON.stringify({ name: 'Of a session' })
    assert.equal((await request(page, '/folder', { method: 'POST', body })).status, 401)
    assert.equal((await request(page, '/folder', { method: 'POST', body, headers: { 'X-Csrf': csrf } })).status, 200)
    const [cookie] = await context.cookies()
    assert.deepEqual([cookie?.name, cookie?.httpOnly, cookie?.sameSite], ['session', true, 'Strict'])
    assert.equal((await request(page, '/session', { method: 'DELETE', headers: { 'X-Csrf': csrf } })).status, 200)
    assert.deepEqual(await context.cookies(), [])
    assert.equal((await request(page, '/session')).status, 401)
    await context.close()
  })

  const svg = () =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/><script>${theft(service.baseUrl)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')}</script></svg>`
  const html = () =>
    `<!doctype html><title>x</title><img src="${service.baseUrl}/session"><iframe src="${service.baseUrl}/session"></iframe><script>${theft(service.baseUrl)}</script>`
  /** A PDF whose script opens, submits and tells: all that scripts of documents can do. */
  const pdf = () => {
    const script = `this.submitForm({cURL: "${service.baseUrl}/session", cSubmitAs: "HTML"}); app.launchURL("${service.baseUrl}/session"); this.getURL("${service.baseUrl}/session")`
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS 4 0 R >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
      `<< /Length ${script.length} >>\nstream\n${script}\nendstream`,
    ]
    const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
    return `%PDF-1.7\n${body}trailer << /Root 1 0 R /Size 5 >>\n%%EOF`
  }

  test.each([
    ['SVG', svg],
    ['HTML', html],
    ['PDF', pdf],
  ] as const)('cannot be reached by a published %s, not even if its scripts ran', async (kind, content) => {
    const link = await publish(Buffer.from(content()), `published.${kind.toLowerCase()}`)
    assert.notEqual(new URL(link).origin, service.baseUrl)
    for (const bypassCSP of [false, true]) {
      const { context, page, csrf } = await signedIn({ bypassCSP })
      const asked: { url: string; status: number }[] = []
      context.on('response', (response) => asked.push({ url: response.url(), status: response.status() }))
      const opened = await context.newPage()
      await opened.goto(link).catch((error: Error) => assert.match(error.message, /Download is starting|ERR_ABORTED/))
      const framed = await context.newPage()
      await framed.goto(`${service.baseUrl}/docs`)
      // As a page of our own might show it, in every way that browsers know.
      const shown = [...['iframe', 'embed', 'img'].map((tag) => [tag, { src: link }]), ['object', { data: link }]]
      await framed.evaluate(`for (const [tag, address] of ${JSON.stringify(shown)})
        document.body.append(Object.assign(document.createElement(tag), address))`)
      if (bypassCSP && kind !== 'PDF') {
        const got = () => opened.evaluate('window.__got')
        await expect.poll(got, { timeout: 60_000 }).toMatchObject({ read: 'refused', signOut: 'refused', cookie: '' })
      } else assert.equal(await opened.evaluate('window.__got').catch(() => undefined), undefined)
      const [known, made] = [await request(page, '/session'), await folders()]
      assert.deepEqual([known.status, known.body.csrf], [200, csrf])
      assert.ok(!made.includes('Stolen'))
      const answered = asked.filter(({ url }) => url === `${service.baseUrl}/session` || url === `${service.baseUrl}/folder`)
      // One is the test's own; answers come in any order.
      assert.ok(answered.filter(({ status }) => status !== 401).length <= 1, JSON.stringify(answered))
      await context.close()
    }
  })

  test('cannot be used by pages of other sites, nor by those of neighbouring hosts', async () => {
    const { context, page, csrf } = await signedIn()
    const body = '{"name": "Forged", "ignored": "="}'
    const form = (action: string, type: string, fields: string) =>
      `<form method="post" enctype="${type}" action="${action}">${fields}</form><script>document.forms[0].submit()</script>`
    const field = `<input name='{"name": "Forged", "ignored": "' value='"}'>`
    const credentials = `<input name='{"username": "${service.demo.username}", "password": "${service.demo.password}", "ignored": "' value='"}'>`
    pages.set('/form', form(`${service.baseUrl}/folder`, 'text/plain', field))
    pages.set('/sign-in', form(`${service.baseUrl}/session`, 'text/plain', credentials))
    pages.set('/null', `<iframe sandbox="allow-scripts allow-forms" srcdoc="${pages.get('/form')!.replaceAll('"', '&quot;')}"></iframe>`)
    pages.set('/pictures', `<img src="${service.baseUrl}/session"><img src="/redirect"><iframe src="${service.baseUrl}/session"></iframe>`)
    pages.set('/script', `<script>${theft(service.baseUrl)}</script>`)
    const statuses: Record<string, number[]> = {}
    context.on('response', (response) => {
      const { origin, pathname } = new URL(response.url())
      if (origin === service.baseUrl) statuses[pathname] = [...(statuses[pathname] ?? []), response.status()]
    })
    const before = await context.cookies(service.baseUrl)
    for (const host of ['127.0.0.1', 'localhost']) {
      for (const path of pages.keys()) {
        const other = await context.newPage()
        await other.goto(`http://${host}:${port}${path}`)
        await other.waitForLoadState('networkidle')
        if (path === '/script') expect(await other.evaluate('window.__got')).toMatchObject({ read: 'refused', signOut: 'refused' })
        await other.close()
      }
    }
    assert.deepEqual(new Set(statuses['/folder']), new Set([401]))
    // 403 are sign-ins, whose answers set no cookie.
    assert.deepEqual(new Set(statuses['/session']), new Set([401, 403]))
    assert.deepEqual(await context.cookies(service.baseUrl), before)
    assert.ok(!(await folders()).some((name) => name === 'Forged' || name === 'Stolen'))
    assert.equal((await request(page, '/session')).body.csrf, csrf)
    // The same request by our own page, to see that it is not the request that fails.
    assert.equal((await request(page, '/folder', { method: 'POST', body, headers: { 'X-Csrf': csrf } })).status, 200)
    await context.close()
  })
})
