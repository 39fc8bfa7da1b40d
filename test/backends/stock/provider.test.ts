import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { type StockItem, type StockLibrary, StockMissing, type StockQuery } from '../../../shared/backends/stock/port.ts'
import { stockProvider } from '../../../shared/backends/stock/provider.ts'
import { providedThumbnails } from '../../../shared/backends/stock/provider-item.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { FIRST_PROVIDED_ID } from '../../../shared/vocabulary/ids.ts'
import { type StockProvider, startStockProvider } from '../../support/stock-provider.ts'
import type { OfferedItem } from '../../support/stock-provider-search.ts'

/** What a test says of an item. Its thumbnail and its file are made up where it has them. */
type GivenItem = Pick<StockItem, 'filename'> &
  Partial<Omit<StockItem, 'filename' | 'mediaId' | 'thumbnails' | 'uploadedBy'>> & {
    /** Whether there is a picture of it, with 320 pixels. */
    hasThumbnail?: boolean
  }

const day = (text: string) => Date.parse(`${text}T12:00:00Z`)

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

const harbour: GivenItem = {
  filename: 'harbour.jpg',
  kind: 'image',
  mime: 'image/jpeg',
  created: day('2024-01-01'),
  bytes: 4_194_304,
  width: 3000,
  height: 2000,
  title: { en: 'Fishing harbour', da: 'Fiskerihavn', de: 'Fischereihafen' },
  description: { en: 'Boats at the quay', da: 'Både ved kajen' },
  keywords: { en: ['harbour', 'boat'], de: ['Hafen', 'Schiff'] },
  byline: 'Anna Berg',
  copyright: 'Example Ltd',
  expires: '2030-01-31',
  editorial: true,
  geolocation: { source: 'provider', longitude: '12.5945', latitude: '55.6795' },
  cameraCreated: day('2023-06-01') / 1000,
  hasThumbnail: true,
}
const tower: GivenItem = { filename: 'tower.jpg', kind: 'image', mime: 'image/jpeg', created: day('2024-02-01'), width: 2000, height: 3000 }
const paper: GivenItem = {
  filename: 'paper.txt',
  kind: 'generic',
  mime: 'text/plain',
  created: day('2024-03-01'),
  title: { da: 'Havnens regler' },
}

/** An item as a provider says it. */
function offered(id: number, { hasThumbnail, ...given }: GivenItem, { url }: StockProvider): OfferedItem {
  const { kind = 'generic', mime = 'text/plain', created = 0, bytes = 0, filename, width, height, title, description, keywords } = given
  const { geolocation, cameraCreated, adultContent, byline, copyright, expires, editorial } = given
  return {
    ...{ id, kind, mime, bytes, filename, created: new Date(created).toISOString() },
    ...(width && { width }),
    ...(height && { height }),
    ...(title && { title }),
    ...(description && { description }),
    ...(keywords && { keywords }),
    ...(byline && { byline }),
    ...(copyright && { copyright }),
    ...(expires && { expires }),
    ...(editorial && { editorial }),
    ...(adultContent && { adult_content: adultContent }),
    ...(geolocation && { position: { latitude: Number(geolocation.latitude), longitude: Number(geolocation.longitude) } }),
    ...(cameraCreated && { camera_created: new Date(cameraCreated * 1000).toISOString() }),
    ...(hasThumbnail && { thumbnails: { '320px': new URL(`/pictures/${id}`, url).href } }),
  }
}

/** What journeys ask of the catalogue, of a provider. */
describe('a provider', () => {
  let provider: StockProvider
  let stock: StockLibrary
  const ids: Record<string, number> = {}
  beforeAll(async () => {
    provider = await startStockProvider()
    const { url, key, items } = provider
    const options = { baseUrl: url, key: async () => key, hosts: [], clock: systemClock, log: jsonLog(() => undefined) }
    stock = { ...stockProvider(options), ...providedThumbnails(async () => 'https://files.example.com/generic/thumbnail.png?Signature=x') }
    for (const [at, item] of [harbour, tower, paper].entries()) {
      items.set(at + 1, offered(at + 1, item, provider))
      ids[item.filename] = FIRST_PROVIDED_ID + at + 1
    }
  })
  afterAll(() => provider[Symbol.asyncDispose]())

  const found = async (query: StockQuery) => (await stock.search(query)).items.map(({ filename }) => filename)

  test.each<[what: string, query: StockQuery, filenames: string[]]>([
    ['everything', everything, ['harbour.jpg', 'tower.jpg', 'paper.txt']],
    ['words of English', words('fishing'), ['harbour.jpg']],
    ['words of Danish', words('havnens'), ['paper.txt']],
    ['words of German, whatever the language', { ...words('schiff'), language: 'da' }, ['harbour.jpg']],
    ['the beginning of words in any language', words('fisk'), ['harbour.jpg']],
    ['all terms', words('harbour boat'), ['harbour.jpg']],
    ['not what lacks one', words('harbour tower'), []],
    ['what lacks an excluded one', words('jpg -harbour'), ['tower.jpg']],
    ['whole words', words('harb', 'strict_and_search'), []],
    ['parts of words', words('rbou', 'wildcards'), ['harbour.jpg']],
    ['a kind', criteria({ kinds: ['generic'] }), ['paper.txt']],
    ['kinds', criteria({ kinds: ['generic', 'image'] }), ['harbour.jpg', 'tower.jpg', 'paper.txt']],
    ['an orientation', criteria({ orientation: 'vertical' }), ['tower.jpg']],
    ['a width', criteria({ minWidth: 2500 }), ['harbour.jpg']],
    ['a height', criteria({ minHeight: 2500 }), ['tower.jpg']],
    ['sides either way round', criteria({ minSides: { long: 3000, short: 2000 } }), ['harbour.jpg', 'tower.jpg']],
    ['since a time', criteria({ date: { field: 'created', min: day('2024-02-01') } }), ['tower.jpg', 'paper.txt']],
    ['until a time', criteria({ date: { field: 'created', max: day('2024-02-01') } }), ['harbour.jpg', 'tower.jpg']],
    ['when it was taken', criteria({ date: { field: 'cameraCreated', min: day('2023-01-01'), max: day('2024-01-01') } }), ['harbour.jpg']],
    ['when it expires', criteria({ minExpires: '2030-01-31', maxExpires: '2030-01-31' }), ['harbour.jpg']],
    ['what has not expired', criteria({ notExpiredOn: '2031-01-01' }), ['tower.jpg', 'paper.txt']],
    ['the newest first', criteria({ direction: 'desc' }), ['paper.txt', 'tower.jpg', 'harbour.jpg']],
    ['the nearest first', criteria({ order: 'distance', near: { latitude: 55, longitude: 12 }, limit: 1 }), ['harbour.jpg']],
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
  })

  test('finds items by their ids, and nothing by ids that no item has', async () => {
    const mediaIds = [ids['tower.jpg']!, ids['paper.txt']!, 1, FIRST_PROVIDED_ID, FIRST_PROVIDED_ID + 147_000_000]
    assert.deepEqual(await found(criteria({ mediaIds })), ['tower.jpg', 'paper.txt'])
    assert.deepEqual(await stock.search(criteria({ mediaIds: [1] })), { total: 0, items: [] })
  })

  test('shows an item with all of its languages, alike by its id and among others', async () => {
    const item = await stock.item(ids['harbour.jpg']!)
    const { hasThumbnail: _, ...given } = harbour
    const { thumbnails, md5, ...shown } = item!
    assert.deepEqual({ ...shown, ...given }, shown, 'all that was given')
    assert.deepEqual([shown.uploadedBy, shown.suggestedKeywords, shown.adultContent], [0, [], false])
    assert.deepEqual(Object.keys(thumbnails), ['320px'])
    const { items } = await stock.search(words('fishing'))
    assert.deepEqual(items, [item])
  })

  test('says of an item what is not known', async () => {
    const { width, height, byline, copyright, expires, geolocation, cameraCreated, description } = (await stock.item(ids['paper.txt']!))!
    assert.deepEqual(
      [width, height, byline, copyright, expires, geolocation, cameraCreated, description],
      [null, null, null, null, null, null, null, {}],
    )
  })

  test('has nothing by other ids', async () => {
    for (const id of [1, FIRST_PROVIDED_ID, FIRST_PROVIDED_ID + 147_000_000]) {
      assert.equal(await stock.item(id), undefined)
      await assert.rejects(stock.download(id, { size: null, user: 1, company: 1 }), StockMissing)
    }
  })

  test('has a picture of every item: its own, or the generic one', async () => {
    const picture = async (filename: string) => stock.thumbnail((await stock.item(ids[filename]!))!, '320px')
    const [own, generic] = [await picture('harbour.jpg'), await picture('paper.txt')]
    assert.ok(URL.canParse(own))
    assert.match(generic, /\/generic\/thumbnail\.png\?/)
    assert.doesNotMatch(own, /generic/)
    assert.equal(new URL(await picture('tower.jpg')).pathname, new URL(generic).pathname)
  })

  test('tells where an item can be downloaded', async () => {
    const { url, metadataWritten } = await stock.download(ids['paper.txt']!, { size: null, user: 1, company: 1 })
    assert.ok(URL.canParse(url), url)
    assert.equal(metadataWritten, true)
  })
})
