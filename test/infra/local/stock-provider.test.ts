import assert from 'node:assert/strict'
import { afterAll, afterEach, describe, test, vi } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { openApiDocument } from '../../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { FIRST_PROVIDED_ID } from '../../../shared/vocabulary/ids.ts'
import { never } from '../../support/answering.ts'
import { conformity } from '../../support/conformity.ts'
import { json } from '../../support/hostile-answers.ts'
import { images } from '../../support/pictures/index.ts'
import { serviceWithAccounts } from '../../support/service-with-accounts.ts'
import { harbour, stockItems } from '../../support/stock-items.ts'
import { startStockProvider } from '../../support/stock-provider.ts'
import { hmacAuthorization } from '../../support/successes.ts'
import { until } from '../../support/until.ts'
import { uploadAndImport } from '../../support/uploading.ts'

/** The circuit breaker's time, in milliseconds. */
const BREAK = 10_000

describe('a service whose stock library is a provider', async () => {
  const provider = await startStockProvider()
  const { service, accounts, person } = await serviceWithAccounts({
    STOCK_PROVIDER_URL: provider.url,
    STOCK_PROVIDER_KEY: provider.key,
    STOCK_PROVIDER_HOSTS: 'cdn.example.com',
  })
  const catalogue = stockItems(accounts)
  const companyId = await accounts.company('With stock')
  await catalogue.allow(companyId)
  const reader = await person({ companyId })
  const stranger = await person({ companyId: await accounts.company('Without stock') })
  const { client } = reader
  const owner = await service.client()
  const own = await uploadAndImport(owner, service.demo.folder_id, await images['plain.jpg'](), 'own.jpg')
  const conform = conformity(openApiDocument(endpoints, defaultSettings))

  const item = FIRST_PROVIDED_ID + 1
  const plain = FIRST_PROVIDED_ID + 2
  const thumbnail = 'https://cdn.example.com/1/320.jpg'
  const common = { kind: 'image' as const, created: '2024-01-01T12:00:00Z', mime: 'image/jpeg', bytes: 1000, width: 300, height: 200 }
  provider.items.set(1, { ...common, ...harbour, keywords: {}, id: 1, filename: 'harbour.jpg', thumbnails: { '320px': thumbnail } })
  provider.items.set(2, { ...common, id: 2, filename: 'tower.jpg', title: { en: 'Tower' } })

  afterEach(async () => {
    provider.instead = undefined
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + BREAK })
    assert.equal((await client['get-media']({ params: { id: item } })).status, 200, 'used again')
    vi.useRealTimers()
  })
  afterAll(async () => {
    assert.ok(!service.log.join('\n').includes(provider.key), 'the key is not in the log')
    await provider[Symbol.asyncDispose]()
  })

  const returned = ['unique_media_id', 'title', 'thumbnail_url', 'filename', 'uploaded_by'] as const
  const search = (q: string, lang?: 'en' | 'da' | 'de', by = client) =>
    by['search-stock']({ query: { q, return_values: [...returned], ...(lang && { lang }) } })
  /** Everything that asks the provider. */
  const asks = {
    search: () => search('harbour'),
    document: () => client['get-media']({ params: { id: item } }),
    metadata: () => client['get-metadata']({ params: { id: item } }),
    preview: () => client['get-preview']({ params: { id: item } }),
    download: () => client['get-download-location']({ params: { id: item } }),
    size: () => client['get-sized-download-location']({ params: { id: item, size: '320px' } }),
  }
  const unavailable = ({ status, headers, body }: { status: number; headers: Headers; body: unknown }) => ({
    status,
    code: (body as { code?: string } | null)?.code,
    retryAfter: headers.get('retry-after'),
  })
  const closed = { status: 503, code: 'stock_unavailable', retryAfter: '10' }

  test('finds its items, in the language that the caller reads, and no others', async () => {
    await catalogue.item({ title: { en: 'Harbour of the catalogue' } })
    for (const [q, lang, title] of [
      ['harbour', undefined, harbour.title.en],
      ['fiskerihavn', 'de', harbour.title.de],
      ['boote', 'da', harbour.title.da],
    ] as const) {
      const { status, body } = await search(q, lang)
      conform('GET /search/vendor/download', status, body)
      const found = { unique_media_id: item, title, thumbnail_url: thumbnail, filename: 'harbour.jpg', uploaded_by: 0 }
      assert.deepEqual([status, body.response], [200, { hits: 1, media: [found] }])
    }
    const { body } = await owner['search-media']({ query: { q: 'harbour', return_values: ['unique_media_id'] } })
    assert.equal(body.response.hits, 0)
  })

  test('shows documents of its items, which are nobody else’s', async () => {
    const { status, body } = await asks.document()
    conform('GET /media/{id}', status, body)
    assert.ok('type' in body)
    const { id, type, media_type, file_md5, metadata } = body
    assert.deepEqual([id, type, media_type, file_md5], [item, 'stock', 'image', ''])
    assert.deepEqual([metadata.title, metadata.description], [harbour.title, harbour.description])
    conform('GET /media/{id}/metadata', 200, (await asks.metadata()).body)
    const params = { id: item }
    assert.deepEqual((await client['list-files']({ params })).body, { files: [], cursor: null, more: false })
    assert.deepEqual((await client['get-history']({ params })).body, { entries: [], cursor: null, more: false })
    const { length } = provider.requests
    for (const id of [item, FIRST_PROVIDED_ID + 99, 1]) {
      assert.equal((await stranger.client['get-media']({ params: { id } })).status, 404)
      assert.equal((await stranger.client['get-download-location']({ params: { id } })).status, 404)
    }
    assert.equal((await search('harbour', 'en', stranger.client)).status, 403)
    assert.equal(provider.requests.length, length, 'the provider is not asked for who may not know')
    assert.equal((await client['get-media']({ params: { id: FIRST_PROVIDED_ID + 99 } })).status, 404)
    assert.equal((await client['get-media']({ params: { id: FIRST_PROVIDED_ID } })).status, 404)
  })

  test('downloads items for users and applications', async () => {
    const { status, body } = await asks.download()
    assert.deepEqual([status, new URL(body.url).pathname], [200, '/files/1/original'])
    assert.equal(new URL((await asks.size()).body.url).pathname, '/files/1/320px')
    const application = await service.client(hmacAuthorization(await accounts.key(['downloads'], companyId)))
    const other = await person({ companyId })
    assert.equal((await application['get-download-location']({ params: { id: plain }, query: { user: other.userId } })).status, 200)
    assert.deepEqual(
      provider.sales.map(({ item: id, size, user, company }) => [id, size, user, company]),
      [
        [1, null, reader.userId, companyId],
        [1, '320px', reader.userId, companyId],
        [2, null, other.userId, companyId],
      ],
    )
    for (const missing of [
      await client['get-download-location']({ params: { id: FIRST_PROVIDED_ID + 99 } }),
      await client['get-sized-download-location']({ params: { id: plain, size: '320px' } }),
    ]) {
      assert.equal(missing.status, 404)
    }
  })

  test.each(Object.keys(asks) as (keyof typeof asks)[])(
    'answers 503 to a %s while the provider fails, and own media as ever',
    async (what) => {
      provider.instead = json({}, 500)
      const answer = await asks[what]()
      assert.deepEqual(unavailable(answer), closed)
      assert.ok(!JSON.stringify(answer.body).includes(new URL(provider.url).host), 'nobody is told where it is')
      assert.equal((await owner['get-media']({ params: { id: own.id } })).status, 200)
      assert.equal((await owner['search-media']({ query: { q: 'own', return_values: ['unique_media_id'] } })).body.response.hits, 1)
      assert.equal((await owner['get-download-location']({ params: { id: own.id } })).status, 200)
    },
  )

  test('keeps nobody waiting for a provider that hangs but those who ask it', async () => {
    provider.instead = never
    const before = provider.requests.length
    let ended = 0
    const hanging = Array.from({ length: 20 }, async () => {
      const answer = await asks.search()
      ended++
      return unavailable(answer)
    })
    for (let n = 0; n < 3; n++) {
      assert.equal((await owner['get-media']({ params: { id: own.id } })).status, 200)
      assert.equal((await owner['search-media']({ query: { q: 'own', return_values: ['unique_media_id'] } })).status, 200)
    }
    assert.equal((await owner['register-upload']({ body: { folder: service.demo.folder_id } })).status, 200)
    await until(() => provider.requests.length === before + hanging.length)
    assert.equal(ended, 0, 'they still wait')
    service.advance(8)
    for (const outcome of await Promise.all(hanging)) assert.deepEqual(outcome, closed)
  })
})
