import assert from 'node:assert/strict'
import { describe, test } from 'vitest'

interface Address {
  mediaIn(page: string): string | undefined
  streamIn(page: string, cdnUrl: string, formerUrls: string[]): string | undefined
}
/** A script of the page, which the rest of the project imports nowhere. */
const { mediaIn, streamIn }: Address = await import(String(new URL('../../../../infra/clients/player/address.js', import.meta.url)))

const id = '0123456789abcdef0123456789abcdef'
const cdn = 'https://cdn.example.com'
const former = ['/-/links', 'https://d111.cloudfront.net', 'http://media.example.com:14001/-/links']
const player = 'http://10.0.0.7:14001/-/player/'

const named = (playlist: string) => streamIn(`${player}?v=${encodeURIComponent(playlist)}&media=1`, cdn, former)

describe("the stream that an address of the player's page names", () => {
  test('is one at the present address, encoded or not', () => {
    const playlist = `${cdn}/streams/${id}/index.m3u8`
    assert.equal(named(playlist), `${cdn}/streams/${id}/`)
    assert.equal(streamIn(`${player}?v=${playlist}&media=1`, cdn, []), `${cdn}/streams/${id}/`)
  })

  test.each(['https://d111.cloudfront.net', 'http://media.example.com:14001/-/links', 'http://10.0.0.7:14001/-/links'])(
    'is the same at the present address, where it names the former %s',
    (address) => {
      assert.equal(named(`${address}/streams/${id}/index.m3u8`), `${cdn}/streams/${id}/`)
    },
  )

  test.each([
    `https://example.org/-/links/streams/${id}/index.m3u8`,
    `http://10.0.0.7:14001/streams/${id}/index.m3u8`,
    `http://10.0.0.7:4000/-/links/streams/${id}/index.m3u8`,
    `https://media.example.com:14001/-/links/streams/${id}/index.m3u8`,
    `https://d111.cloudfront.net.example.org/streams/${id}/index.m3u8`,
    `https://d111.cloudfront.net@example.org/streams/${id}/index.m3u8`,
    `https://d111.cloudfront.net/x/streams/${id}/index.m3u8`,
    `https://d111.cloudfront.net/streams/${id}/../${id}/index.m3u8`,
    'https://d111.cloudfront.net/streams/undefined/index.m3u8',
  ])('is none for %j', (playlist) => {
    assert.equal(named(playlist), undefined)
  })
})

test('the file is a number', () => {
  assert.deepEqual([mediaIn(`${player}?media=12`), mediaIn(`${player}?media=<b>`), mediaIn(player)], ['12', undefined, undefined])
})
