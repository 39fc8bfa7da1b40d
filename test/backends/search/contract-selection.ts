import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { SearchQuery } from '../../../shared/backends/search/port.ts'
import { parseQuery } from '../../../shared/vocabulary/parse-query.ts'
import type { Term } from '../../../shared/vocabulary/term.ts'
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
    it('keeps to the folders of the scope and shows a file once', async () => {
      const { ids, find } = await library(open, library3)
      assert.deepEqual(await ids({ scope: { only: [1, 2] } }), [1, 2, 3])
      assert.deepEqual(await ids({ scope: { only: [3, 999] } }), [3])
      assert.deepEqual(await ids({ scope: { only: [] } }), [])
      assert.deepEqual(await ids({ scope: { only: [999] } }), [])
      assert.deepEqual(await ids({ scope: { except: [1] } }), [2, 3, 4])
      assert.deepEqual(await ids({ scope: { except: [1, 2] } }), [3, 4])
      assert.deepEqual(await ids({ scope: { except: [1, 2, 3, 9] } }), [])
      assert.deepEqual(await find('sea', 'default', { scope: { only: [2] } }), [2, 3])
      assert.deepEqual(await find('sea', 'default', { scope: { except: [9] } }), [1, 2, 3])
    })

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

    it('counts a term as matched in the folders that have it as tag', async () => {
      const { ids } = await library(open, library3)
      const term = (word: string, folders: number[], rest: Partial<Term> = {}): Term => {
        return { words: [word], matching: 'prefix', excluded: false, folders, ...rest }
      }
      assert.deepEqual(await ids({ terms: [term('land', [1])] }), [1, 2, 4])
      assert.deepEqual(await ids({ terms: [term('zebra', [777])] }), [])
      assert.deepEqual(await ids({ terms: [term('land', [1], { excluded: true })] }), [3])
      assert.deepEqual(await ids({ terms: [term('land', [1]), term('sea', [])] }), [1, 2])
      assert.deepEqual(await ids({ terms: [term('lan', [3], { matching: 'infix' })] }), [3, 4])
      assert.deepEqual(await ids({ terms: [term('land', [1])], order: 'relevance', direction: 'desc', scope: { only: [1] } }), [2, 1])
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

    it('filters by kind, ids and size', async () => {
      const { ids, find } = await library(open, [
        { mediaId: 1, kind: 'image', width: 3508, height: 2480, title: 'a' },
        { mediaId: 2, kind: 'video', width: 1080, height: 1920, title: 'a' },
        { mediaId: 3, kind: 'vector', width: 500, height: 500, title: 'a' },
        { mediaId: 4, kind: 'generic', width: null, height: null, title: 'a' },
      ])
      assert.deepEqual(await ids({ kinds: ['image', 'generic'] }), [1, 4])
      assert.deepEqual(await find('a', 'default', { kinds: ['video'] }), [2])
      assert.deepEqual(await ids({ mediaIds: [4, 2, 99] }), [2, 4])
      assert.deepEqual(await find('a', 'default', { mediaIds: [3] }), [3])
      assert.deepEqual(await ids({ orientation: 'horizontal' }), [1])
      assert.deepEqual(await ids({ orientation: 'vertical' }), [2])
      assert.deepEqual(await ids({ minWidth: 1080, minHeight: 1920 }), [1, 2])
      assert.deepEqual(await ids({ minSides: { long: 3508, short: 2480 } }), [1])
      assert.deepEqual(await ids({ minSides: { long: 1920, short: 1080 } }), [1, 2])
    })

    it('filters by dates, bounds included', async () => {
      const { ids, find } = await library(open, [
        { mediaId: 1, created: 1_000, modified: 5_000, cameraCreated: -86_400_000, title: 'a' },
        { mediaId: 2, created: 2_000, modified: 4_000, cameraCreated: null, title: 'a' },
        { mediaId: 3, created: 3_000, modified: 3_000, cameraCreated: 0, title: 'a' },
      ])
      assert.deepEqual(await ids({ date: { field: 'created', min: 2_000 } }), [2, 3])
      assert.deepEqual(await ids({ date: { field: 'created', min: 1_001, max: 2_000 } }), [2])
      assert.deepEqual(await ids({ date: { field: 'created', min: 3_001 } }), [])
      assert.deepEqual(await ids({ date: { field: 'created', max: 999 } }), [])
      assert.deepEqual(await find('a', 'default', { date: { field: 'created', max: 2_000 } }), [1, 2])
      assert.deepEqual(await ids({ date: { field: 'modified', max: 4_000 } }), [2, 3])
      assert.deepEqual(await ids({ date: { field: 'cameraCreated', max: 0 } }), [1, 3])
      assert.deepEqual(await ids({ date: { field: 'cameraCreated', min: 0 } }), [3])
    })

    it('filters by expiration', async () => {
      const { ids } = await library(open, [
        { mediaId: 1, expires: '2024-02-29' },
        { mediaId: 2, expires: '2025-01-01' },
        { mediaId: 3, expires: null },
      ])
      assert.deepEqual(await ids({ minExpires: '2024-03-01' }), [2])
      assert.deepEqual(await ids({ maxExpires: '2024-02-29' }), [1])
      assert.deepEqual(await ids({ notExpiredOn: '2024-02-29' }), [1, 2, 3])
      assert.deepEqual(await ids({ notExpiredOn: '2024-03-01' }), [2, 3])
    })
  })

  describe(`${name}: order and pages`, () => {
    it('orders by creation, equal times by id', async () => {
      const { ids } = await library(open, [
        { mediaId: 8, created: 500 },
        { mediaId: 3, created: 700 },
        { mediaId: 5, created: 500 },
        { mediaId: 9, created: 100 },
      ])
      assert.deepEqual(await ids({ direction: 'asc' }), [9, 5, 8, 3])
      assert.deepEqual(await ids({ direction: 'desc' }), [3, 8, 5, 9])
    })

    it('orders by camera time, files without one last', async () => {
      const { ids } = await library(open, [
        { mediaId: 1, cameraCreated: 30 },
        { mediaId: 2, cameraCreated: null },
        { mediaId: 3, cameraCreated: 10 },
      ])
      assert.deepEqual(await ids({ order: 'cameraCreated', direction: 'asc' }), [3, 1, 2])
      assert.deepEqual(await ids({ order: 'cameraCreated', direction: 'desc' }), [1, 3, 2])
    })

    it('orders by distance along the ground, also across the date line and at the poles, files without a place last', async () => {
      const { ids } = await library(open, [
        { mediaId: 1, latitude: 0, longitude: -179.9 },
        { mediaId: 2, latitude: 0, longitude: 179 },
        { mediaId: 3, latitude: 89.9, longitude: 0 },
        { mediaId: 4 },
        { mediaId: 5, latitude: 0, longitude: 179.900001 },
      ])
      const near = { latitude: 0, longitude: 179.9 }
      assert.deepEqual(await ids({ order: 'distance', direction: 'asc', near }), [5, 1, 2, 3, 4])
      assert.deepEqual(await ids({ order: 'distance', direction: 'desc', near }), [3, 2, 1, 5, 4])
      assert.deepEqual(await ids({ order: 'distance', direction: 'asc', near: { latitude: 90, longitude: 77 } }).then((all) => all[0]), 3)
    })

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

    it('ranks files that have the terms in title or keywords first, and turns the order round', async () => {
      const { find } = await library(open, [
        { mediaId: 1, title: 'sea' },
        { mediaId: 2, description: 'the sea, among a good many other things that are to be seen here' },
        { mediaId: 3, description: 'land' },
      ])
      assert.deepEqual(await find('sea', 'default', { order: 'relevance', direction: 'desc' }), [1, 2])
      assert.deepEqual(await find('sea', 'default', { order: 'relevance', direction: 'asc' }), [2, 1])
      assert.deepEqual(await find('sea', 'wildcards', { order: 'relevance', direction: 'desc' }), [1, 2])
      assert.deepEqual(await find('-sea', 'default', { order: 'relevance', direction: 'desc' }), [3])
    })

    it('ranks a common term beside a rare one: in title or keywords before elsewhere', async () => {
      const { find } = await library(open, [
        ...[1, 2, 3].map((mediaId) => ({ mediaId, title: 'harbour wall', description: 'blue' })),
        { mediaId: 4, title: 'harbour blue', description: 'wall' },
        ...[5, 6].map((mediaId) => ({ mediaId, title: 'harbour wall', description: 'blue' })),
        ...Array.from({ length: 50 }, (_, n) => ({ mediaId: 10 + n, description: ['blue', 'bluebell', 'land', 'sea', 'hill'][n % 5] })),
      ])
      assert.equal((await find('harbour blue', 'default', { order: 'relevance', direction: 'desc' }))[0], 4)
      assert.equal((await find('harbour blue', 'default', { order: 'relevance', direction: 'asc' })).at(-1), 4)
      assert.equal((await find('harbour blue', 'strict_and_search', { order: 'relevance', direction: 'desc' }))[0], 4)
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
          width: 1 + (n % 30),
        })),
      )
      const near = { latitude: 1, longitude: 1 }
      for (const order of ['created', 'cameraCreated', 'distance', 'filename', 'size'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const of = (limit: number, offset: number) => search({ order, direction, limit, offset, near, withLayout: true })
          const all = await of(100_000, 0)
          assert.deepEqual([all.total, new Set(all.mediaIds).size, all.layout?.ratios.length], [count, count, count])
          for (const [limit, offset] of [[50, 10_100] as const, [15_000, 4_000] as const, [900, 20_500] as const]) {
            const { mediaIds, layout } = await of(limit, offset)
            assert.deepEqual(mediaIds, all.mediaIds.slice(offset, offset + limit), `${order} ${direction} from ${offset}`)
            assert.deepEqual(layout?.ratios, all.layout?.ratios.slice(offset, offset + limit))
          }
          assert.deepEqual((await of(10, 1_000_000)).mediaIds, [])
        }
      }
    })

    it('pages through any order without gaps or repeats, with the same total', async () => {
      const count = 2_600
      const { search } = await library(
        open,
        Array.from({ length: count }, (_, n) => ({
          mediaId: n + 1,
          created: 1_000 + (n % 50),
          cameraCreated: n % 3 ? n % 40 : null,
          latitude: n % 60,
          longitude: n % 7,
          filename: `${n % 90}.jpg`,
          bytes: n % 70,
          ...(n % 4 === 0 ? { title: 'sea' } : { description: 'sea' }),
        })),
      )
      const near = { latitude: 1, longitude: 1 }
      const terms = parseQuery('sea', 'default')
      for (const order of ['created', 'relevance', 'cameraCreated', 'distance', 'filename', 'size'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const seen: number[] = []
          for (let offset = 0; offset < count; offset += 700) {
            const page = await search({ terms, order, direction, limit: 700, offset, near })
            assert.equal(page.total, count)
            seen.push(...page.mediaIds)
          }
          assert.equal(new Set(seen).size, count, `${order} ${direction}`)
          assert.equal(seen.length, count, `${order} ${direction}`)
          const past = await search({ terms, order, direction, limit: 24, offset: 9_000, near })
          assert.deepEqual(past, { total: count, mediaIds: [] })
        }
      }
      const first = await search({ terms, order: 'relevance', direction: 'desc', limit: 650, offset: 0 })
      assert.ok(first.mediaIds.every((id) => id % 4 === 1))
      assert.deepEqual(await search({ terms, limit: 0 }), { total: count, mediaIds: [] })
    })
  })
}
