import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { StockQuery } from '../../../shared/backends/stock/port.ts'
import { StockUnavailable } from '../../../shared/backends/stock/port.ts'
import { stockProvider } from '../../../shared/backends/stock/provider.ts'
import { providedThumbnails } from '../../../shared/backends/stock/provider-item.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { FIRST_PROVIDED_ID } from '../../../shared/vocabulary/ids.ts'
import { hostileAnswers, json } from '../../support/hostile-answers.ts'
import { startStockProvider } from '../../support/stock-provider.ts'
import type { OfferedItem } from '../../support/stock-provider-search.ts'
import { TestClock } from '../../support/test-clock.ts'

const GENERIC = 'https://files.example.com/generic/thumbnail.png'
const mediaId = FIRST_PROVIDED_ID + 7
const plain: OfferedItem = {
  ...{ id: 7, kind: 'image', created: '2024-01-01T12:00:00Z', filename: 'harbour.jpg', mime: 'image/jpeg', bytes: 10 },
  thumbnails: {},
}
const ordered = { size: null, user: 11, company: 12 }

const query: StockQuery = {
  text: 'harbour',
  matching: 'default',
  language: 'en',
  criteria: { order: 'created', direction: 'asc', limit: 2, offset: 0 },
}

/** A provider with one item, and the library that uses it. */
async function using(hosts: string[] = []) {
  const provider = await startStockProvider()
  provider.items.set(7, plain)
  const lines: string[] = []
  const clock = new TestClock()
  const options = {
    ...{ baseUrl: provider.url, key: async () => provider.key, hosts, log: jsonLog((line) => lines.push(line)) },
    clock,
  }
  return {
    provider,
    lines,
    clock,
    stock: { ...stockProvider(options), ...providedThumbnails(async () => GENERIC) },
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  }
}

describe('a hostile provider', () => {
  test.each(['answers HTML', 'answers 500'] as const)('that %s is not there for searches, items and downloads', async (hostile) => {
    await using used = await using()
    used.provider.instead = hostileAnswers[hostile]
    await assert.rejects(used.stock.search(query), StockUnavailable)
    await assert.rejects(used.stock.item(mediaId), StockUnavailable)
    await assert.rejects(used.stock.download(mediaId, ordered), StockUnavailable)
  })

  const item = (changed: object) => ({ ...plain, ...changed })
  const many = (count: number, of: (n: number) => [string, unknown]) => Object.fromEntries(Array.from({ length: count }, (_, n) => of(n)))
  test.each<[what: string, item: unknown]>([
    ['null', null],
    ['without a name', item({ filename: undefined })],
    ['with another id than the one that was asked for', item({ id: 8 })],
    ['with an id that is none of ours', item({ id: 147_483_648 })],
    ['of an unknown kind', item({ kind: 'stock' })],
    ['whose name leads elsewhere', item({ filename: '../../etc/passwd' })],
    ['whose name turns text around', item({ filename: 'gpj.\u202eexe' })],
    ['whose name has a line break', item({ filename: 'a\nSet-Cookie: b' })],
    ['whose type breaks a header', item({ mime: 'image/jpeg\r\nX: y' })],
    ['of a day that does not exist', item({ expires: '2030-02-30' })],
    ['of a time that does not exist', item({ created: '2024-13-01T12:00:00Z' })],
    ['of the year 10000, as it is there', item({ created: '9999-12-31T23:59:59-01:00' })],
    ['with 25 languages', item({ title: many(25, (n) => [`a${String.fromCharCode(97 + n)}`, 'x']) })],
    ['with 2,001 keywords', item({ keywords: { en: Array.from({ length: 2_001 }, (_, n) => `k${n}`) } })],
    ['beyond the poles', item({ position: { latitude: 91, longitude: 0 } })],
    ['with thumbnails of other sizes', item({ thumbnails: { '99999px': 'https://a.example/' } })],
  ])('cannot bring in an item %s', async (_, answered) => {
    await using used = await using()
    used.provider.instead = json(answered)
    await assert.rejects(used.stock.item(mediaId), StockUnavailable)
    used.provider.instead = json({ total: 1, items: [plain, answered] })
    const found = await used.stock.search(query).catch((error: unknown) => error)
    // In a search any valid id may come.
    assert.ok(found instanceof StockUnavailable || JSON.stringify(answered) === JSON.stringify(item({ id: 8 })))
  })

  test.each<[what: string, page: object]>([
    ['more items than were asked for', { total: 3, items: [7, 8, 9].map((id) => item({ id })) }],
    ['a negative total', { total: -1, items: [] }],
    ['a total that is no 32-bit number', { total: 2 ** 31, items: [plain] }],
    ['no items', { total: 1 }],
  ])('cannot answer a search with %s', async (_, page) => {
    await using used = await using()
    used.provider.instead = json(page)
    await assert.rejects(used.stock.search(query), StockUnavailable)
  })

  test('cannot answer with other items than were asked for', async () => {
    await using used = await using()
    used.provider.instead = json({ total: 1, items: [item({ id: 8 })] })
    const asked = { ...query, criteria: { ...query.criteria, mediaIds: [mediaId] } }
    await assert.rejects(used.stock.search(asked), StockUnavailable)
  })

  test('is asked in normal form C, whatever form a client writes in', async () => {
    await using used = await using()
    used.provider.instead = json({ total: 0, items: [] })
    await used.stock.search({ ...query, text: 'cafe\u0301' })
    assert.match(used.provider.requests.at(-1)!, /[?&]q=caf%C3%A9(&|$)/)
  })

  test('has each item once in a page, and never fewer in all than came', async () => {
    await using used = await using()
    used.provider.instead = json({ total: 0, items: [plain, plain] })
    const { total, items } = await used.stock.search(query)
    assert.deepEqual([total, items.map((each) => each.mediaId)], [1, [mediaId]])
  })

  test('has its texts cleaned', async () => {
    await using used = await using()
    const title = { en: 'Har\u0000bour\u001b[31m\ttab', da: 'A\u030a' }
    const keywords = { en: [' boat ', 'bo\u0007at', '\u0000', 'quay'] }
    used.provider.instead = json(item({ title, keywords, byline: 'Anna\u0000', unknown: 'field' }))
    const shown = (await used.stock.item(mediaId))!
    assert.deepEqual(shown.title, { en: 'Harbour[31m\ttab', da: 'Å' })
    assert.deepEqual([shown.keywords, shown.byline], [{ en: ['boat', 'quay'] }, 'Anna'])
    assert.equal('unknown' in shown, false)
  })

  test('sends nobody to other hosts for a download', async () => {
    await using used = await using(['cdn.example.com'])
    const { port } = new URL(used.provider.url)
    for (const url of ['https://attacker.example/1', 'http://169.254.169.254/latest/meta-data']) {
      used.provider.instead = json({ url })
      await assert.rejects(used.stock.download(mediaId, ordered), StockUnavailable, url)
    }
    assert.match(JSON.parse(used.lines[0]!).failure, /first at "url", which is at a host that is not allowed$/)
    for (const url of ['https://cdn.example.com/1', `http://127.0.0.1:${port}/1`]) {
      used.provider.instead = json({ url })
      assert.equal((await used.stock.download(mediaId, ordered)).url, url)
    }
  })

  test('shows no pictures of other hosts: the generic one stands for them', async () => {
    await using used = await using(['cdn.example.com'])
    const thumbnails = { '110px': 'https://cdn.example.com/110', '320px': 'https://attacker.example/320', '800px': 'http://10.0.0.7/800' }
    used.provider.instead = json(item({ thumbnails: { '320px': thumbnails['320px'] } }))
    const strange = (await used.stock.item(mediaId))!
    assert.equal(await used.stock.thumbnail(strange, '320px'), GENERIC)
    assert.doesNotMatch(JSON.stringify(strange), /attacker/)
    used.provider.instead = json(item({ thumbnails }))
    const mixed = (await used.stock.item(mediaId))!
    assert.equal(await used.stock.thumbnail(mixed, '320px'), thumbnails['110px'], 'the nearest that is allowed')
  })
})

describe('a provider that counts downloads', () => {
  test('counts one whose answer was lost once', async () => {
    await using used = await using()
    used.provider.loses = 2
    await used.stock.download(mediaId, ordered)
    assert.deepEqual(
      [used.provider.requests.length, used.provider.sales.map(({ item, size, user, company }) => ({ item, size, user, company }))],
      [3, [{ item: 7, ...ordered }]],
    )
  })

  test('counts one that a client asks for again within minutes once', async () => {
    await using used = await using()
    used.provider.loses = 3
    await assert.rejects(used.stock.download(mediaId, ordered), { name: 'StockUnavailable', mayBeMade: true })
    used.clock.advance(10)
    await used.stock.download(mediaId, ordered)
    assert.equal(used.provider.sales.length, 1)
  })

  test('counts those of others, of other sizes and of later', async () => {
    await using used = await using()
    used.provider.items.set(7, { ...plain, thumbnails: { '320px': 'https://a.example/' } })
    await used.stock.download(mediaId, ordered)
    await used.stock.download(mediaId, { ...ordered, user: 13 })
    await used.stock.download(mediaId, { ...ordered, company: 14 })
    await used.stock.download(mediaId, { ...ordered, size: '320px' })
    used.clock.advance(600)
    await used.stock.download(mediaId, ordered)
    assert.equal(used.provider.sales.length, 5)
  })
})
