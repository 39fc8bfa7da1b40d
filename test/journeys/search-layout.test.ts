import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { putMedia } from '../support/media.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'

const { accounts, person } = await serviceWithAccounts()

describe('the layout of a search', () => {
  let companyId: CompanyId
  let owner: Person
  let folder: number
  let below: number
  const first = 500_000_000 + Math.floor(Math.random() * 400_000_000)
  const [lake, boat, film, sign] = [first, first + 1, first + 2, first + 3] as const

  beforeAll(async () => {
    companyId = await accounts.company('With layout')
    owner = await person({ companyId, admin: true })
    folder = (await owner.client['create-folder']({ body: { name: 'Laid out' } })).body.id
    below = (await owner.client['create-folder']({ body: { name: 'Below', parent: folder } })).body.id
    const day = (n: number) => Date.UTC(2025, 5, n)
    const put = (mediaId: number, media: Partial<Parameters<typeof putMedia>[1]>) =>
      putMedia(accounts.table, { companyId, folders: [folder], modified: Date.now(), ...media, mediaId })
    await put(lake, { created: day(1), width: 3508, height: 2480, filename: 'b.jpg', bytes: 7, title: { en: 'Lake' }, cameraCreated: 0 })
    await put(boat, { created: day(3), width: 800, height: 1200, filename: 'C.jpg', bytes: 9, title: { en: 'Boat' }, folders: [below] })
    await put(film, { created: day(3) + 1, width: null, height: null, filename: 'a.mp4', bytes: 8, kind: 'video' })
    await put(sign, { created: day(4), width: 1, height: 3, filename: 'B.JPG', bytes: 7 })
  })

  const layout = async (query: Record<string, string | number>, of: Person = owner) => {
    const { status, body } = await of.client['get-search-layout']({ query })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  test('has a column each of ids, ratios and days, in the order of the search', async () => {
    assert.deepEqual(await layout({ all: 1 }), {
      hits: 4,
      ids: [sign, film, boat, lake],
      ratios: [33, 0, 67, 141],
      days: [
        ['2025-06-04', 1],
        ['2025-06-03', 2],
        ['2025-06-01', 1],
      ],
    })
    assert.deepEqual(await layout({ all: 1, media_offset: 1, media_count: 2 }), {
      hits: 4,
      ids: [film, boat],
      ratios: [0, 67],
      days: [['2025-06-03', 2]],
    })
    assert.deepEqual((await layout({ all: 1, order: 'camera_created' })).days, [['1970-01-01', 1]])
    assert.deepEqual(await layout({ all: 1, order: 'filename' }), {
      hits: 4,
      ids: [film, lake, sign, boat],
      ratios: [0, 141, 33, 67],
      days: [],
    })
    assert.deepEqual((await layout({ all: 1, order: 'filename', direction: 'desc' })).ids, [boat, sign, lake, film])
    assert.deepEqual((await layout({ all: 1, order: 'size' })).ids, [boat, film, sign, lake])
    assert.deepEqual((await layout({ all: 1, order: 'size', direction: 'asc' })).ids, [lake, sign, film, boat])
    assert.deepEqual(await layout({ q: 'boat' }), { hits: 1, ids: [boat], ratios: [67], days: [] })
  })

  test('takes the filters of a search, and knows no more than it', async () => {
    assert.deepEqual((await layout({ folder_ids: folder })).ids, [sign, film, lake])
    assert.deepEqual((await layout({ folder_ids: folder, recursive: 'true', media_type: 'video' })).ids, [film])
    assert.deepEqual((await layout({ unique_media_id: boat })).ids, [boat])
    assert.deepEqual(await layout({}), { hits: 0, ids: [], ratios: [], days: [] })
    const reader = await person({ companyId })
    assert.deepEqual((await layout({ all: 1 }, reader)).ids, [])
    await accounts.grant(below, reader.userId, ['READ'])
    assert.deepEqual((await layout({ all: 1 }, reader)).ids, [boat])
  })

  test('by relevance it reaches 10,000 files, by other orders a million', async () => {
    const status = async (query: Record<string, string | number>) => (await owner.client['get-search-layout']({ query })).status
    assert.equal(await status({ q: 'boat', media_offset: 9_000, media_count: 1_000 }), 200)
    assert.equal(await status({ q: 'boat', media_offset: 9_000, media_count: 1_001 }), 400)
    assert.equal(await status({ q: 'boat', media_offset: 9_000 }), 200)
    assert.equal(await status({ q: 'boat', media_offset: 10_001, media_count: 0 }), 400)
    assert.equal(await status({ q: 'boat', media_offset: 1_000_000, order: 'created' }), 200)
    assert.equal(await status({ all: 1, order: 'relevance', media_offset: 10_001 }), 400)
    assert.equal(await status({ all: 1, media_offset: 1_000_001 }), 400)
    assert.equal(await status({ all: 1, media_count: 200_000 }), 200)
    assert.equal(await status({ all: 1, direction: 'asc' }), 400)
  })
})
