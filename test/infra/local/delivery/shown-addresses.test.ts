import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { movedTo } from '../../../../infra/local/delivery/shown-addresses.ts'
import { targetOf } from '../../../../infra/local/http/api-event.ts'
import { defaultSettings } from '../../../../shared/settings.ts'

const at = (baseUrl: string, cdnUrl: string, playerUrl: string) => ({ baseUrl, settings: { ...defaultSettings, cdnUrl, playerUrl } })
const proxied = at('https://media.example.com', 'https://cdn.example.com', 'https://player.example.com')
const shared = at('https://media.example.com', 'https://media.example.com/-/links', 'https://media.example.com/-/player')

const asked = (url: string, host = '127.0.0.1:4000', behindProxy = false) => ({ target: targetOf(url), host, behindProxy })

describe("links and the player at the API's own address", () => {
  test('are at the hosts of a proxy for who asks the host of the API', () => {
    const own = asked('/-/links/demo/0a.jpg?width=20', 'media.example.com', true)
    assert.equal(movedTo(own, proxied, false), 'https://cdn.example.com/demo/0a.jpg?width=20')
    assert.equal(movedTo({ ...own, target: targetOf('/-/player/?v=x') }, proxied, false), 'https://player.example.com/?v=x')
  })

  test('are answered for a proxy that maps those hosts to them, whatever host it names', () => {
    for (const host of ['cdn.example.com', 'player.example.com', '127.0.0.1:4000', '']) {
      assert.equal(movedTo(asked('/-/links/demo/0a.jpg', host, true), proxied, false), undefined)
      assert.equal(movedTo(asked('/-/player/', host, true), proxied, false), undefined)
    }
    assert.equal(movedTo(asked('/-/links/demo/0a.jpg', 'media.example.com', true), shared, false), undefined)
  })
})
