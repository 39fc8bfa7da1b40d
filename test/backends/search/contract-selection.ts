import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { SearchQuery } from '../../../shared/backends/search/port.ts'
import { parseQuery } from '../../../shared/vocabulary/parse-query.ts'
import { library, type OpenEngine } from './contract-library.ts'
import { aDocument } from './memory-feed.ts'

/** What engines leave out, and in which order they give the rest. */
export function selectionContract(name: string, open: OpenEngine): void {
  describe(`${name}: folders`, () => {
    const library3 = [
      { mediaId: 1, folders: [1], title: 'sea' },
      { mediaId: 2, folders: [1, 2], title: 'sea' },
      { mediaId: 3, folders: [2, 3], title: 'sea' },
      { mediaId: 4, folders: [9], title: 'land' },
    ]
    it('counts the files in folders, also while they move', async () => {
      const { counts, commit } = await library(open, library3)
      assert.deepEqual(await counts(1, 2, 3, 9, 777, 2), [2, 2, 1, 1, 0, 2])
      assert.deepEqual(await counts(), [])
      commit(aDocument({ mediaId: 3, folders: [9], revision: 2 }), { mediaId: 1, revision: 2, removed: true })
      assert.deepEqual(await counts(1, 2, 3, 9), [1, 1, 0, 2])
      assert.deepEqual(
        await counts(...Array.from({ length: 20_000 }, (_, n) => n)).then((all) => all.slice(0, 10)),
        [0, 1, 1, 0, 0, 0, 0, 0, 0, 2],
      )
    })

    it('takes scopes of many thousand folders', async () => {
      const { ids, find } = await library(open, library3)
      const many = Array.from({ length: 140_000 }, (_, n) => 100 + n)
      assert.deepEqual(await ids({ scope: { only: [...many, 2] } }), [2, 3])
      assert.deepEqual(await find('sea', 'wildcards', { scope: { except: [...many, 1] } }), [2, 3])
    })
  })

  describe(`${name}: filters`, () => {
    it('filters by kind whatever the terms are', async () => {
      const { find } = await library(open, [
        { mediaId: 1, kind: 'image', title: 'red sea', description: 'wide' },
        { mediaId: 2, kind: 'video', title: 'red sea', description: 'wide' },
        { mediaId: 3, kind: 'vector', title: 'red', description: 'sea' },
      ])
      const all = ['sea', 's', 'se', 'sea wide', 'sea -land', '"red sea"', '"red sea" s']
      for (const q of all) {
        assert.deepEqual(await find(q, 'default', { kinds: ['video'] }), [2], q)
        assert.deepEqual(await find(q, 'default', { kinds: ['generic'] }), [], q)
        assert.deepEqual(await find(q, 'default', { kinds: [] }), [], q)
        assert.deepEqual(await find(q, 'default', { kinds: ['video'], order: 'relevance', direction: 'desc' }), [2], q)
      }
      for (const q of ['e', 'ed', 'sea']) assert.deepEqual(await find(q, 'wildcards', { kinds: ['vector', 'video'] }), [2, 3], q)
      assert.deepEqual(await find('sea', 'strict_and_search', { kinds: ['vector', 'image'] }), [1, 3])
      assert.deepEqual(await find('sea', 'default', { kinds: ['vector', 'image'], order: 'relevance', direction: 'desc' }), [1, 3])
      assert.deepEqual(await find('-wide', 'default', { kinds: ['vector', 'image'] }), [3])
      assert.deepEqual(await find('image'), [])
    })
  })

  describe(`${name}: order and pages`, () => {
    it('orders by filename, whatever its case, by code points, and by size; files that are alike by id', async () => {
      const { ids } = await library(open, [
        { mediaId: 9, filename: 'b.jpg', bytes: 5, created: 1 },
        { mediaId: 2, filename: 'B.JPG', bytes: 5_000_000_000, created: 2 },
        { mediaId: 3, filename: '\uffee.jpg', bytes: 7, created: 3 },
        { mediaId: 4, filename: '📷.jpg', bytes: 5, created: 4 },
        { mediaId: 5, filename: 'e\u0301.jpg', bytes: 0, created: 5 },
        { mediaId: 6, filename: '\u00c9.jpg', bytes: 10, created: 6 },
        { mediaId: 7, filename: 'STRASSE 2', bytes: 8, created: 7 },
        { mediaId: 8, filename: 'straße 1', bytes: 8, created: 8 },
        { mediaId: 1, filename: 'Z', bytes: 9, created: 9 },
      ])
      const byName = [2, 9, 8, 7, 1, 5, 6, 3, 4]
      assert.deepEqual(await ids({ order: 'filename', direction: 'asc' }), byName)
      assert.deepEqual(await ids({ order: 'filename', direction: 'desc' }), byName.toReversed())
      const bySize = [5, 4, 9, 3, 7, 8, 1, 6, 2]
      assert.deepEqual(await ids({ order: 'size', direction: 'asc' }), bySize)
      assert.deepEqual(await ids({ order: 'size', direction: 'desc' }), bySize.toReversed())
    })

    it('orders by byline, kind and expiration, files without a value last, those that are alike by id', async () => {
      const { ids, search } = await library(open, [
        { mediaId: 5, byline: 'ada', kind: 'video', expires: '2027-01-01', created: 1 },
        { mediaId: 4, byline: ' Ada ', kind: 'generic', expires: null, created: 2 },
        { mediaId: 3, byline: '', kind: 'image', expires: '0999-12-31', created: 3 },
        { mediaId: 2, byline: 'Øster', kind: 'vector', expires: '2027-01-01', created: 4 },
        { mediaId: 1, byline: 'zoë', kind: 'image', expires: null, created: 5 },
        { mediaId: 6, byline: '📷'.repeat(300), kind: 'image', expires: '2026-12-31', created: 6 },
      ])
      const both = async (order: SearchQuery['order']) => [await ids({ order, direction: 'asc' }), await ids({ order, direction: 'desc' })]
      assert.deepEqual(await both('byline'), [
        [4, 5, 1, 2, 6, 3],
        [6, 2, 1, 5, 4, 3],
      ])
      assert.deepEqual(await both('kind'), [
        [4, 1, 3, 6, 2, 5],
        [5, 2, 6, 3, 1, 4],
      ])
      assert.deepEqual(await both('expires'), [
        [3, 6, 2, 5, 1, 4],
        [5, 2, 6, 3, 4, 1],
      ])
      const { layout } = await search({ order: 'expires', direction: 'desc', withLayout: true, limit: 4 })
      assert.deepEqual(layout?.days, [
        ['2027-01-01', 2],
        ['2026-12-31', 1],
        ['0999-12-31', 1],
      ])
    })

    it('orders by the name of the first folder that has one, files of one name by id', async () => {
      const { ids, search } = await library(open, [
        { mediaId: 1, folders: [30], created: 9 },
        { mediaId: 2, folders: [20], created: 8 },
        { mediaId: 3, folders: [10], created: 7 },
        { mediaId: 4, folders: [21, 10], created: 6 },
        { mediaId: 5, folders: [99, 98, 30, 10], created: 5, title: 'sea' },
        { mediaId: 6, folders: [99], created: 4 },
        { mediaId: 7, folders: [10], created: 3, title: 'sea' },
      ])
      // 20 and 21 have one name; 98 and 99 have none here.
      const folderOrder = [10, 0, 20, 21, 0, 30, 0]
      const order = 'folder'
      assert.deepEqual(await ids({ order, folderOrder }), [3, 7, 2, 4, 1, 5, 6])
      assert.deepEqual(await ids({ order, folderOrder, direction: 'desc' }), [5, 1, 4, 2, 7, 3, 6])
      assert.deepEqual(await ids({ order, folderOrder: [30, 0, 21, 10, 0, 20, 0] }), [1, 5, 3, 4, 7, 2, 6])
      assert.deepEqual(await ids({ order, folderOrder, scope: { only: [10] } }), [3, 7, 4, 5])
      assert.deepEqual(await ids({ order, folderOrder, terms: parseQuery('sea', 'default') }), [7, 5])
      assert.deepEqual(await ids({ order, folderOrder: [] }), [1, 2, 3, 4, 5, 6, 7])
      assert.deepEqual((await search({ order, folderOrder, offset: 1, limit: 3 })).mediaIds, [7, 2, 4])
      assert.deepEqual((await search({ order, folderOrder, direction: 'desc', offset: 5, limit: 3 })).mediaIds, [3, 6])
      await assert.rejects(search({ order }), /needs the order of folders/)
    })

    it('tells the layout of a page: ratios, and how many files are of each day', async () => {
      const day = (n: number, ms = 0) => Date.UTC(2024, 1, n) + ms
      const { search } = await library(open, [
        { mediaId: 1, created: day(28), cameraCreated: day(1, 86_399_999), width: 200, height: 100 },
        { mediaId: 2, created: day(28, 86_399_999), cameraCreated: null, width: 1000, height: 1501 },
        { mediaId: 3, created: day(29), cameraCreated: -1, width: 1, height: 1000 },
        { mediaId: 4, created: day(30), cameraCreated: day(1), width: null, height: null },
        { mediaId: 5, created: day(30, 5), cameraCreated: day(1, 1), width: 0, height: 7 },
      ])
      const layout = async (query: Partial<SearchQuery>) => search({ withLayout: true, ...query })
      assert.deepEqual(await layout({}), {
        total: 5,
        mediaIds: [1, 2, 3, 4, 5],
        layout: {
          ratios: [200, 67, 0, 0, 0],
          days: [
            ['2024-02-28', 2],
            ['2024-02-29', 1],
            ['2024-03-01', 2],
          ],
        },
      })
      assert.deepEqual(await layout({ direction: 'desc', offset: 1, limit: 3 }), {
        total: 5,
        mediaIds: [4, 3, 2],
        layout: {
          ratios: [0, 0, 67],
          days: [
            ['2024-03-01', 1],
            ['2024-02-29', 1],
            ['2024-02-28', 1],
          ],
        },
      })
      assert.deepEqual((await layout({ order: 'cameraCreated' })).layout?.days, [
        ['1969-12-31', 1],
        ['2024-02-01', 3],
      ])
      assert.deepEqual((await layout({ order: 'filename' })).layout?.days, [])
      assert.deepEqual((await layout({ order: 'size', limit: 0 })).layout, { ratios: [], days: [] })
      assert.deepEqual((await layout({ scope: { only: [99] } })).layout, { ratios: [], days: [] })
    })

    it('gives any number of files at once, and the same ones on pages however far they are', async () => {
      const count = 21_000
      const { search } = await library(
        open,
        Array.from({ length: count }, (_, n) => ({
          mediaId: n + 1,
          created: 1_000 + (n % 5_000),
          cameraCreated: n % 3 ? n % 4_000 : null,
          latitude: n % 4 ? n % 60 : null,
          longitude: n % 4 ? n % 7 : null,
          filename: `${n % 9_000}.jpg`,
          bytes: n % 70,
          folders: n % 5 ? [1 + (n % 9)] : [2 + (n % 11), 1],
          byline: n % 3 ? `by ${n % 200}` : '',
          expires: n % 6 ? null : `2026-01-${10 + (n % 7)}`,
          width: 1 + (n % 30),
          ...(n % 4 === 0 ? { title: 'sea' } : { description: 'sea' }),
        })),
      )
      const near = { latitude: 1, longitude: 1 }
      const folderOrder = [12, 0, 5, 6, 7, 0, 1, 0, 2, 3, 0, 11, 0]
      const dated = ['created', 'cameraCreated', 'distance', 'expires'] as const
      for (const order of [...dated, 'filename', 'size', 'byline', 'kind', 'folder', 'relevance'] as const) {
        const terms = order === 'relevance' ? parseQuery('sea', 'default') : []
        for (const direction of ['asc', 'desc'] as const) {
          const of = (limit: number, offset: number) =>
            search({ terms, order, direction, limit, offset, near, folderOrder, withLayout: true })
          const all = await of(100_000, 0)
          assert.deepEqual([all.total, new Set(all.mediaIds).size, all.layout?.ratios.length], [count, count, count])
          if (order === 'relevance' && direction === 'desc') assert.ok(all.mediaIds.slice(0, count / 4).every((id) => id % 4 === 1))
          for (const [limit, offset] of [[50, 10_100] as const, [15_000, 4_000] as const, [900, 20_500] as const]) {
            const { mediaIds, layout } = await of(limit, offset)
            assert.deepEqual(mediaIds, all.mediaIds.slice(offset, offset + limit), `${order} ${direction} from ${offset}`)
            assert.deepEqual(layout?.ratios, all.layout?.ratios.slice(offset, offset + limit))
          }
          assert.deepEqual((await of(10, 1_000_000)).mediaIds, [])
        }
      }
    })
  })
}
