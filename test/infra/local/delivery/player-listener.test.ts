import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { playerHeaders } from '../../../../infra/clients/player/player-files.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { shownAt } from '../../../support/shown.ts'

describe('the host of the player on one machine', async () => {
  const { service } = await serviceWithAccounts()

  /** Every answer carries these. */
  function assertPlayerHeaders({ headers }: Response): void {
    const { cdn_url: cdnUrl, player_url: playerUrl } = service.demo
    const expected = playerHeaders({ cdnUrl, playerUrl: playerUrl! })
    for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('x-frame-options'), null)
    assert.match(headers.get('x-svc-request-id') ?? '', /^[0-9a-f-]{36}$/)
  }

  const shown = (path: string, init?: RequestInit) => fetch(shownAt(service) + path, { redirect: 'manual', ...init })

  const playlist = 'http://127.0.0.1/-/links/streams/0123456789abcdef0123456789abcdef/index.m3u8'

  test.for(['', `/?v=${encodeURIComponent(playlist)}&media=1`, '/?v=%3Cscript%3E'])(
    'at %j is the page, whatever its address names',
    async (rest) => {
      const response = await shown(`/-/player${rest}`)
      assert.equal(response.status, 200)
      assertPlayerHeaders(response)
      const page = await response.text()
      assert.ok(page.includes(`data-cdn="${service.demo.cdn_url}"`))
      assert.ok(!page.includes('%3Cscript') && !page.includes('0123456789abcdef'))
    },
  )

  test('hls.js is beside it, compressed, kept for ever, and known again', async () => {
    const page = await (await shown('/-/player/')).text()
    const [, library = ''] = /data-library="([^"]+)"/.exec(page) ?? []
    assert.ok(library.startsWith(`${shownAt(service)}/-/player/hls.`))
    const response = await fetch(library)
    assert.equal(response.status, 200)
    assertPlayerHeaders(response)
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(await response.text(), /Hls/)
    const again = await fetch(library, { headers: { 'if-none-match': response.headers.get('etag')! } })
    assert.equal(again.status, 304)
  })

  test('all else is not there, and nothing can be written', async () => {
    for (const path of ['/-/player/nothing', '/-/player//', '/-/player/%2e%2e%2findex.html', '/-/player/index.html/']) {
      const response = await shown(path)
      assert.equal(response.status, 404, path)
      assertPlayerHeaders(response)
      assert.equal(((await response.json()) as { code: string }).code, 'not_found')
    }
    const posted = await shown('/-/player/', { method: 'POST', body: 'x' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
    const asked = await shown('/-/player/', { method: 'OPTIONS' })
    assert.deepEqual([asked.status, asked.headers.get('access-control-allow-methods')], [204, 'GET, HEAD, OPTIONS'])
    assert.equal((await shown('/-/players')).status, 404)
  })
})
