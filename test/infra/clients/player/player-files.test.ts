import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { playerFiles, playerHeaders } from '../../../../infra/clients/player/player-files.ts'
import { playerSources } from '../../../../infra/clients/player/player-sources.ts'

const addresses = { cdnUrl: 'https://cdn.example.com', playerUrl: 'https://player.example.com', formerCdnUrls: ['/links', 'https://old'] }
const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('base64')

describe('the files of the player', () => {
  const files = playerFiles(addresses)
  const bodyOf = (path: string) => files.find((file) => file.path === path)?.body ?? assert.fail(`no ${path}`)
  const page = bodyOf('index.html')
  const library = files.find(({ path }) => path.startsWith('hls.')) ?? assert.fail('no hls.js')

  test('fill the page with the addresses, the one style and the one script', () => {
    assert.match(page, /data-cdn="https:\/\/cdn\.example\.com"/)
    assert.match(page, /data-former-cdns="\/links https:\/\/old"/)
    assert.ok(page.includes(`data-library="https://player.example.com/${library.path}"`))
    assert.ok(page.includes(`data-integrity="sha384-${digest('sha384', library.body)}"`))
    assert.doesNotMatch(page, /\bsrc=|rel="stylesheet"|^import |^export /m)
  })

  test('have a name for hls.js that changes with it, so that browsers keep it', () => {
    assert.match(library.path, /^hls\.[0-9a-f]{16}\.js$/)
    assert.equal(library.cacheControl, 'public, max-age=31536000, immutable')
    const changed = playerFiles(addresses, { ...playerSources(), library: 'another version' })
    assert.notEqual(changed.find(({ path }) => path.startsWith('hls.'))?.path, library.path)
  })

  test('take an address with signs of HTML as text', () => {
    const [filled] = playerFiles({ ...addresses, cdnUrl: `https://x/"><script>` })
    assert.ok(filled?.body.includes('data-cdn="https://x/&quot;>&lt;script>"'))
  })
})

describe("the player's Content-Security-Policy", () => {
  const policy = playerHeaders(addresses)['content-security-policy'] ?? ''
  const page = playerFiles(addresses)[0]?.body ?? ''

  test('runs the script and takes the style that the page holds, by their digests', () => {
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? []
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? []
    assert.ok(policy.includes(`script-src 'sha256-${digest('sha256', script)}' https://player.example.com/hls.`))
    assert.ok(policy.includes(`style-src 'sha256-${digest('sha256', style)}'`))
    assert.doesNotMatch(policy, /unsafe/)
  })

  test('lets the page talk to streams alone, and any site embed it', () => {
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /connect-src https:\/\/cdn\.example\.com\/streams\/(;|$)/)
    assert.match(policy, /frame-ancestors \*/)
    assert.equal(playerHeaders(addresses)['x-frame-options'], undefined)
  })
})
