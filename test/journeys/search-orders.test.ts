import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { putMedia } from '../support/media.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { stockItems } from '../support/stock-items.ts'

const { accounts, person } = await serviceWithAccounts()

describe('orders of a search', () => {
  let companyId: CompanyId
  let owner: Person
  let reader: Person
  let zebra: number
  let first = 0
  const ids: number[] = []

  beforeAll(async () => {
    companyId = await accounts.company('With orders')
    owner = await person({ companyId, admin: true })
    reader = await person({ companyId })
    const folder = async (name: string) => (await owner.client['create-folder']({ body: { name } })).body.id
    zebra = await folder('zebra')
    const [alpha, another] = [await folder('Alpha'), await folder('ALPHA')]
    const share = { params: { id: zebra, userId: reader.userId }, body: { flags: ['READ' as const] } }
    assert.equal((await owner.client['set-folder-access'](share)).status, 200)
    first = 500_000_000 + Math.floor(Math.random() * 400_000_000)
    const put = async (media: Partial<Parameters<typeof putMedia>[1]>) => {
      const mediaId = first + ids.length
      await putMedia(accounts.table, { companyId, modified: Date.now(), created: 1_000_000 - ids.length, ...media, mediaId })
      ids.push(mediaId)
    }
    await put({ folders: [zebra], byline: 'Zoë', kind: 'video', expires: '2031-01-01' })
    await put({ folders: [alpha, zebra], byline: 'ada', kind: 'image' })
    await put({ folders: [another], byline: 'Ada', kind: 'generic', expires: '2030-01-01' })
    await put({ folders: [alpha], kind: 'image' })
  })

  /** Positions of the found files, in order. */
  const ordered = async (order: string, direction?: string, { client }: Person = owner) => {
    const query = { all: 1, order, ...(direction && { direction }) }
    const { body } = await client['get-search-layout']({ query })
    const files = await client['search-media']({ query: { ...query, return_values: ['unique_media_id'] } })
    assert.deepEqual(
      files.body.response.media.map(({ unique_media_id }) => unique_media_id),
      body.ids,
    )
    return body.ids.map((id) => id - first)
  }

  test('ascend unless asked otherwise, with files without a value last in both directions, those that are alike by id', async () => {
    assert.deepEqual(await ordered('byline'), [1, 2, 0, 3])
    assert.deepEqual(await ordered('byline', 'desc'), [0, 2, 1, 3])
    assert.deepEqual(await ordered('kind'), [2, 1, 3, 0])
    assert.deepEqual(await ordered('kind', 'desc'), [0, 3, 1, 2])
    assert.deepEqual(await ordered('expiration_date'), [2, 0, 1, 3])
    assert.deepEqual(await ordered('expiration_date', 'desc'), [0, 2, 3, 1])
  })

  test('go by the name of the first folder that the caller may read', async () => {
    assert.deepEqual(await ordered('folder'), [1, 2, 3, 0])
    assert.deepEqual(await ordered('folder', 'desc'), [0, 3, 2, 1])
    assert.deepEqual(await ordered('folder', 'asc', reader), [0, 1])
    await owner.client['change-folder']({ params: { id: zebra }, body: { name: 'Aaa' } })
    assert.deepEqual(await ordered('folder'), [0, 1, 2, 3])
  })

  test('are few: others are refused, of the stock library these, too', async () => {
    const { status } = await owner.client['get-search-layout']({ query: { all: 1, order: 'colour' } })
    assert.equal(status, 400)
    await stockItems(accounts).allow(companyId)
    for (const order of ['byline', 'kind', 'expiration_date', 'folder'])
      assert.equal((await owner.client['search-stock']({ query: { all: 1, order, return_values: ['title'] } as never })).status, 400)
  })
})
