import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { consoleHeaders } from '../../../../infra/clients/console/console-files.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'

describe('the console on one machine', async () => {
  const { service } = await serviceWithAccounts()

  /** Every answer carries these. */
  function assertHeaders({ headers }: Response): void {
    const expected = consoleHeaders({ links: new URL(service.demo.cdn_url).origin })
    for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.match(headers.get('x-svc-request-id') ?? '', /^[0-9a-f-]{36}$/)
  }

  test.for(['/console/', '/console/search?q=%3Cscript%3E'])('%s is the page, which is asked for each time', async (path) => {
    const response = await service.request(path)
    assert.equal(response.status, 200)
    assertHeaders(response)
    assert.equal(response.headers.get('cache-control'), 'no-cache')
    const page = await response.text()
    assert.match(page, /^<!doctype html>/)
    assert.doesNotMatch(page, /<script>|<style>| style=| on\w+=|q=/)
    assert.equal((await service.request(path, { headers: { 'if-none-match': response.headers.get('etag')! } })).status, 304)
  })

  test('what the page loads is on this host, compressed, and kept for a year', async () => {
    const page = await (await service.request('/console/')).text()
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
    assert.ok(files.length >= 3)
    for (const file of files) {
      assert.match(file, /^\/console\/assets\/[\w.-]+$/)
      const response = await service.request(file)
      assert.equal(response.status, 200, file)
      assertHeaders(response)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(response.headers.get('content-encoding'), 'gzip')
    }
  })

  test('files that it has not are 404, and are not kept', async () => {
    for (const path of ['/console/assets/none.js', '/console/assets/..%2findex.html', '/console/assets/constructor']) {
      const response = await service.request(path)
      assert.equal(response.status, 404, path)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assertHeaders(response)
    }
  })

  test('it can be read, not written', async () => {
    for (const method of ['POST', 'OPTIONS']) assert.equal((await service.request('/console/', { method })).status, 405, method)
  })
})
