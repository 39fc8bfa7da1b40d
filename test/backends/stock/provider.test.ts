import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { type StockLibrary, StockMissing, type StockQuery } from '../../../shared/backends/stock/port.ts'
import { stockProvider } from '../../../shared/backends/stock/provider.ts'
import { providedThumbnails } from '../../../shared/backends/stock/provider-item.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { FIRST_PROVIDED_ID } from '../../../shared/vocabulary/ids.ts'
import { type StockProvider, startStockProvider } from '../../support/stock-provider.ts'
import type { OfferedItem } from '../../support/stock-provider-search.ts'

/** Everything, oldest first. */
const everything: StockQuery = {
  text: '',
  matching: 'default',
  language: 'en',
  criteria: { order: 'created', direction: 'asc', limit: 100, offset: 0 },
}
const words = (text: string, matching: StockQuery['matching'] = 'default'): StockQuery => ({ ...everything, text, matching })
const criteria = (wanted: Partial<StockQuery['criteria']>): StockQuery => ({
  ...everything,
  criteria: { ...everything.criteria, ...wanted },
})
const day = (text: string) => Date.parse(`${text}T12:00:00Z`)

const GENERIC = 'https://files.example.com/generic/thumbnail.png?Signature=x'
const [HARBOUR, TOWER, PAPER, NOTHING] = [1, 2, 3, 147_000_000].map((id) => FIRST_PROVIDED_ID + id) as [number, number, number, number]

/** Harbour, tower and paper, as the provider says them. */
const offered = (origin: string): OfferedItem[] => [
  {
    ...{ id: 1, filename: 'harbour.jpg', kind: 'image', mime: 'image/jpeg', created: '2024-01-01T12:00:00Z', bytes: 4_194_304 },
    ...{ width: 3000, height: 2000, byline: 'Anna Berg', copyright: 'Example Ltd', expires: '2030-01-31', editorial: true },
    title: { en: 'Fishing harbour', da: 'Fiskerihavn', de: 'Fischereihafen' },
    description: { en: 'Boats at the quay', da: 'Både ved kajen' },
    keywords: { en: ['harbour', 'boat'], de: ['Hafen', 'Schiff'] },
    position: { latitude: 55.6795, longitude: 12.5945 },
    camera_created: '2023-06-01T12:00:00Z',
    thumbnails: { '320px': `${origin}/pictures/1` },
  },
  {
    ...{ id: 2, filename: 'tower.jpg', kind: 'image', mime: 'image/jpeg', created: '2024-02-01T12:00:00Z', bytes: 0 },
    ...{ width: 2000, height: 3000 },
  },
  {
    ...{ id: 3, filename: 'paper.txt', kind: 'generic', mime: 'text/plain', created: '2024-03-01T12:00:00Z', bytes: 0 },
    title: { da: 'Havnens regler' },
  },
]

/** What journeys ask of the catalogue, of a provider. */
describe('a provider', () => {
  let provider: StockProvider
  let stock: StockLibrary
  beforeAll(async () => {
    provider = await startStockProvider()
    const { url, key, items } = provider
    const options = { baseUrl: url, key: async () => key, hosts: [], clock: systemClock, log: jsonLog(() => undefined) }
    stock = { ...stockProvider(options), ...providedThumbnails(async () => GENERIC) }
    for (const item of offered(new URL(url).origin)) items.set(item.id, item)
  })
  afterAll(() => provider[Symbol.asyncDispose]())

  const found = async (query: StockQuery) => (await stock.search(query)).items.map(({ filename }) => filename)

  test.each<[what: string, query: StockQuery, filenames: string[]]>([
    ['everything', everything, ['harbour.jpg', 'tower.jpg', 'paper.txt']],
    ['words of German, whatever the language', { ...words('schiff'), language: 'da' }, ['harbour.jpg']],
    ['the beginning of words in any language', words('fisk'), ['harbour.jpg']],
    ['what lacks an excluded term', words('jpg -harbour'), ['tower.jpg']],
    ['whole words', words('harb', 'strict_and_search'), []],
    ['kinds', criteria({ kinds: ['generic', 'video'] }), ['paper.txt']],
    ['an orientation', criteria({ orientation: 'vertical' }), ['tower.jpg']],
    ['a width', criteria({ minWidth: 2500 }), ['harbour.jpg']],
    ['since a time', criteria({ date: { field: 'created', min: day('2024-02-01') } }), ['tower.jpg', 'paper.txt']],
    ['when it was taken', criteria({ date: { field: 'cameraCreated', min: day('2023-01-01'), max: day('2024-01-01') } }), ['harbour.jpg']],
    ['when it expires', criteria({ minExpires: '2030-01-31', maxExpires: '2030-01-31' }), ['harbour.jpg']],
    ['what has not expired', criteria({ notExpiredOn: '2031-01-01' }), ['tower.jpg', 'paper.txt']],
    ['the newest first', criteria({ direction: 'desc' }), ['paper.txt', 'tower.jpg', 'harbour.jpg']],
    ['the nearest first', criteria({ order: 'distance', near: { latitude: 55, longitude: 12 }, limit: 1 }), ['harbour.jpg']],
    ['items by their ids', criteria({ mediaIds: [TOWER, PAPER, 1, FIRST_PROVIDED_ID, NOTHING] }), ['tower.jpg', 'paper.txt']],
  ])('finds %s', async (_, query, filenames) => {
    assert.deepEqual(await found(query), filenames)
  })

  test('tells the exact number of items with every page', async () => {
    const pages = await Promise.all([0, 1, 2, 3].map((offset) => stock.search(criteria({ limit: 2, offset }))))
    assert.deepEqual(
      pages.map(({ total, items }) => [total, ...items.map(({ filename }) => filename)]),
      [[3, 'harbour.jpg', 'tower.jpg'], [3, 'tower.jpg', 'paper.txt'], [3, 'paper.txt'], [3]],
    )
    assert.deepEqual(await stock.search(criteria({ limit: 0 })), { total: 3, items: [] })
    assert.deepEqual(await stock.search(criteria({ mediaIds: [1] })), { total: 0, items: [] })
  })

  test('shows an item with all of its languages, alike by its id and among others', async () => {
    const item = (await stock.item(HARBOUR))!
    const [{ id: _, created: __, position: ___, camera_created: ____, ...given } = {}] = offered(new URL(provider.url).origin)
    const { md5, ...shown } = item
    assert.deepEqual({ ...shown, ...given }, shown, 'all that was given')
    assert.deepEqual([shown.created, shown.cameraCreated], [day('2024-01-01'), day('2023-06-01') / 1000])
    assert.deepEqual(shown.geolocation, { source: 'provider', longitude: '12.5945', latitude: '55.6795' })
    assert.deepEqual([shown.uploadedBy, shown.suggestedKeywords, shown.adultContent], [0, [], false])
    assert.deepEqual((await stock.search(words('fishing'))).items, [item])
  })

  test('has nothing by other ids', async () => {
    for (const id of [1, FIRST_PROVIDED_ID, NOTHING]) {
      assert.equal(await stock.item(id), undefined)
      await assert.rejects(stock.download(id, { size: null, user: 1, company: 1 }), StockMissing)
    }
  })

  test('has a picture of every item: its own, or the generic one; and tells where it can be downloaded', async () => {
    const picture = async (id: number) => stock.thumbnail((await stock.item(id))!, '320px')
    assert.deepEqual([await picture(HARBOUR), await picture(PAPER)], [`${new URL(provider.url).origin}/pictures/1`, GENERIC])
    const { url, metadataWritten } = await stock.download(PAPER, { size: null, user: 1, company: 1 })
    assert.ok(URL.canParse(url), url)
    assert.equal(metadataWritten, true)
  })
})
