import assert from 'node:assert/strict'
import { suite, test } from 'vitest'
import * as z from 'zod'
import { apiClient } from '../../shared/http/client.ts'
import { endpoint } from '../../shared/http/endpoint.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { serve } from './serving.ts'

const endpoints = {
  'search-stock': endpoint({
    route: 'GET /search/<vendor>/{kind}',
    summary: 'Search',
    description: 'Of a test.',
    access: 'anyone',
    uses: {},
    params: { kind: z.string() },
    returns: z.object({ kind: z.string() }),
    handle: async ({ params }) => params,
  }),
}

suite('a setting in a route', () => {
  test('has its value where the server listens, where the client asks and in the log', async () => {
    await using server = await serve(endpoints, { vendor: 'acme' })
    const answers = await Promise.all(
      ['acme', 'vendor', '<vendor>'].map(async (vendor) => {
        const { baseUrl } = server
        const { status, body } = await apiClient(endpoints, { baseUrl, vendor })['search-stock']({ params: { kind: 'download' } })
        return [vendor, status, body.kind]
      }),
    )
    assert.deepEqual(answers, [
      ['acme', 200, 'download'],
      ['vendor', 404, undefined],
      ['<vendor>', 404, undefined],
    ])
    assert.ok(server.log.some(({ route, status }) => route === 'GET /search/acme/{kind}' && status === 200))
  })

  test('has its value in the API document', () => {
    const { paths } = openApiDocument(endpoints, { ...defaultSettings, vendor: 'acme' })
    assert.deepEqual(Object.keys(paths), ['/search/acme/{kind}'])
  })
})
