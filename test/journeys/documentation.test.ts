import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { OpenApiDocument } from '../../shared/http/openapi/document.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'

describe('documentation', async () => {
  const { service } = await serviceWithAccounts()

  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
  /** Addresses that a page refers to. */
  const addressesIn = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)

  test('the root leads a browser to the console', async () => {
    const response = await service.request('/', browser)
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/console/'])
  })

  test('the root is unknown to a program, as any other path without meaning', async () => {
    for (const headers of [{}, { accept: 'application/json' }] as Record<string, string>[]) {
      const response = await service.request('/', { headers })
      assert.equal(response.status, 404)
      assert.equal(((await response.json()) as { code: string }).code, 'resource_not_found')
    }
  })

  test('the reference is made of files of this service alone, and its policy lets nothing else in', async () => {
    const response = await service.request('/docs', browser)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'(;|$)/)
    assert.doesNotMatch(policy, /https?:|unsafe-eval|script-src[^;]*unsafe/)
    const files = addressesIn(await response.text()).filter((address) => !address.startsWith('data:'))
    assert.equal(files.length, 4)
    for (const file of [...files, '/docs/sign-in.js']) {
      assert.match(file, /^\/docs\/[\w.-]+$/)
      const answer = await service.request(file)
      assert.equal(answer.status, 200, file)
      assert.equal(answer.headers.get('content-encoding'), 'gzip')
      assert.match(answer.headers.get('content-type') ?? '', file.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
      assert.ok((await answer.text()).length > 100, file)
    }
  })

  test('the reference has no other files', async () => {
    for (const name of ['package.json', '..%2fpackage.json', 'constructor', 'index.html']) {
      assert.equal((await service.request(`/docs/${name}`)).status, 404, name)
    }
  })

  test('the document says under which address it was read', async () => {
    const { servers } = (await (await service.request('/openapi.json')).json()) as OpenApiDocument
    assert.deepEqual(servers, [{ url: service.baseUrl }])
  })
})
