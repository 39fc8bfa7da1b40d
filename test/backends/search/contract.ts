import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { parseQuery, type QueryType } from '../../../shared/backends/search/parse-query.ts'
import type { SearchDocument, SearchEngine, SearchQuery } from '../../../shared/backends/search/port.ts'
import { aDocument, type Change, MemoryFeed } from './memory-feed.ts'

/** An engine under test, and how to get rid of it. */
export interface OpenEngine {
  engine: SearchEngine
  close(): Promise<void>
}

const COMPANY = 7

const everything: SearchQuery = { terms: [], scope: { except: [] }, order: 'created', direction: 'asc', limit: 100, offset: 0 }

/** What every search engine promises, whatever it is made of. `open` makes an empty engine that follows the feed. */
export function searchContract(name: string, open: (feed: MemoryFeed) => Promise<OpenEngine>): void {
  /** A library of documents; returns ids in order of creation for a query as typed, for the parts of one, or for both. */
  async function library(t: TestContext, documents: (Partial<SearchDocument> & { mediaId: number })[]) {
    const feed = new MemoryFeed()
    feed.commit(COMPANY, ...documents.map(aDocument))
    const { engine, close } = await open(feed)
    t.after(close)
    const search = (query: Partial<SearchQuery> = {}) => engine.search(COMPANY, { ...everything, ...query })
    const ids = async (query: Partial<SearchQuery> = {}) => {
      const { total, mediaIds } = await search(query)
      assert.equal(total, mediaIds.length)
      return mediaIds
    }
    return {
      engine,
      ids,
      search,
      find: (q: string, type: QueryType = 'default', query: Partial<SearchQuery> = {}) => ids({ terms: parseQuery(q, type), ...query }),
      commit: (...changes: Change[]) => feed.commit(COMPANY, ...changes),
    }
  }

  describe(`${name}: words`, () => {
    it('finds a term in every field, and a file only by all of its terms', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, title: 'Harbour at dawn', keywords: ['boat'] },
        { mediaId: 2, description: 'A boat' },
        { mediaId: 3, suggestedKeywords: ['boat'], byline: 'Dawn Example' },
        { mediaId: 4, copyright: 'Boat Agency' },
        { mediaId: 5, filename: 'boat_0001.jpg' },
        { mediaId: 6, title: 'Mountain' },
      ])
      assert.deepEqual(await find('boat'), [1, 2, 3, 4, 5])
      assert.deepEqual(await find('dawn+boat'), [1, 3])
      assert.deepEqual(await find('nothing boat'), [])
    })

    it('matches the beginning of words by default, whole words when strict, anything inside of titles, keywords and filenames with wildcards', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, title: 'sun' },
        { mediaId: 2, keywords: ['sunset'] },
        { mediaId: 3, filename: 'midsun.jpg' },
        { mediaId: 4, description: 'sunny' },
        { mediaId: 5, description: 'midsun' },
      ])
      assert.deepEqual(await find('sun'), [1, 2, 4])
      assert.deepEqual(await find('sun', 'strict_and_search'), [1])
      assert.deepEqual(await find('sun', 'wildcards'), [1, 2, 3, 4])
      assert.deepEqual(await find('sun*', 'strict_and_search'), [1, 2, 4])
      assert.deepEqual(await find('*sun', 'strict_and_search'), [1, 2, 3, 4])
    })

    it('finds substrings of one, two and more characters, across words too', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, title: 'Kite surfing', keywords: ['xylophone'] },
        { mediaId: 2, filename: 'box.png' },
        { mediaId: 3, description: 'xenon at the end: ox' },
        { mediaId: 4, title: 'Ab' },
      ])
      assert.deepEqual(await find('x', 'wildcards'), [1, 2, 3])
      assert.deepEqual(await find('ox', 'wildcards'), [2, 3])
      assert.deepEqual(await find('yl', 'wildcards'), [1])
      assert.deepEqual(await find('b', 'wildcards'), [2, 4])
      assert.deepEqual(await find('ab', 'wildcards'), [4])
      assert.deepEqual(await find('"te surf"', 'wildcards'), [1])
      assert.deepEqual(await find('"surf kite"', 'wildcards'), [])
      assert.deepEqual(await find('k*te', 'default'), [1])
    })

    it('keeps a phrase together and inside of one keyword', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, title: 'red wine glass' },
        { mediaId: 2, title: 'wine red' },
        { mediaId: 3, keywords: ['red', 'wine'] },
        { mediaId: 4, keywords: ['red wine', 'glass'] },
        { mediaId: 5, title: 'red', description: 'wine' },
      ])
      assert.deepEqual(await find('"red wine"'), [1, 4])
      assert.deepEqual(await find('"red wine"', 'wildcards'), [1, 4])
      assert.deepEqual(await find('"wine glass"'), [1])
      assert.deepEqual(await find('red-wi'), [1, 4])
      assert.deepEqual(await find('red wine'), [1, 2, 3, 4, 5])
    })

    it('excludes terms and phrases, alone too', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, title: 'sunset beach' },
        { mediaId: 2, title: 'sunset mountain' },
        { mediaId: 3, title: 'beach sunset' },
        { mediaId: 4, title: 'forest' },
      ])
      assert.deepEqual(await find('sunset -beach'), [2])
      assert.deepEqual(await find('sunset -"sunset beach"'), [2, 3])
      assert.deepEqual(await find('-beach'), [2, 4])
      assert.deepEqual(await find('-ount', 'wildcards'), [1, 3, 4])
      assert.deepEqual(await find('sunset -*each'), [2])
      assert.deepEqual(await find('-beach -forest -mountain'), [])
    })

    it('finds the parts of a filename', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, filename: 'IMG_1234-SummerParty2024.final.JPG' },
        { mediaId: 2, filename: 'DSC0099.tif' },
      ])
      for (const q of [
        'IMG_1234',
        '1234',
        'summer',
        'party',
        'summerparty2024',
        '2024',
        'final.jpg',
        'IMG_1234-SummerParty2024.final.JPG',
      ]) {
        assert.deepEqual(await find(q, 'strict_and_search'), [1], q)
      }
      for (const q of ['dsc', '0099', 'DSC0099.tif', 'tif']) assert.deepEqual(await find(q, 'strict_and_search'), [2], q)
    })

    it('finds a file by its id, beside files that have the number in their text', async (t) => {
      const { find } = await library(t, [
        { mediaId: 2024, title: 'Nothing of note' },
        { mediaId: 5, title: 'Party 2024' },
        { mediaId: 6, title: 'Party 2025' },
      ])
      assert.deepEqual(await find('2024'), [5, 2024])
      assert.deepEqual(await find('party 2024'), [5])
      assert.deepEqual(await find('-2024'), [6])
    })
  })

  describe(`${name}: folding`, () => {
    const pairs: [written: string, asked: string][] = [
      ['Smørrebrød på Ærø', 'smorrebrod aero'],
      ['smorrebrod', 'Smørrebrød'],
      ['Ålesund', 'alesund'],
      ['Zürich', 'ZURICH'],
      ['Cafe\u0301', 'café'],
      ['café', 'Cafe\u0301'],
      ['Straße', 'STRASSE'],
      ['İstanbul', 'istanbul'],
      ['ISTANBUL', 'ıstanbul'],
      ['Œuvre', 'oeuvre'],
      ['ΟΔΟΣ', 'οδός'],
      ['Ёлка', 'елка'],
      ['ﬁnale', 'finale'],
      ['ＡＢＣ１２３', 'abc123'],
      ['Łódź', 'lodz'],
      ['東京タワーの夜景', 'タワー'],
      ['東京タワーの夜景', '京タ'],
      ['東京 tower', '東'],
      ['上海市浦东新区', '浦东'],
      ['ภาษาไทย', 'ไทย'],
      ['서울 야경', '서울'],
      ['हिन्दी', 'हिन्दी'],
      ['party 🎉 time', '🎉'],
      ['I ❤️ NY', '❤'],
      ['👩‍🚀 in space', '👩‍🚀'],
      ["l'été", 'ete'],
      ['Acme™ M²', 'acme m2'],
    ]
    it('ignores case, diacritics, ligatures, width and composition, in every way of matching', async (t) => {
      const { find } = await library(
        t,
        pairs.map(([title], n) => ({ mediaId: n + 1, title })),
      )
      for (const [n, [written, asked]] of pairs.entries()) {
        for (const type of ['default', 'strict_and_search', 'wildcards'] as const) {
          assert.ok((await find(asked, type)).includes(n + 1), `${asked} finds ${written} (${type})`)
        }
      }
      assert.deepEqual(await find('京東'), [])
      assert.deepEqual(await find('がか'), [])
    })
  })

  describe(`${name}: hostile queries`, () => {
    it('takes any text for text', async (t) => {
      const { find, ids } = await library(t, [
        { mediaId: 1, title: 'near or and not title' },
        { mediaId: 2, title: '' },
      ])
      assert.deepEqual(await find('NEAR'), [1])
      assert.deepEqual(await find('AND OR NOT'), [1])
      const awkward = [
        'NEAR(near, 2)',
        'title:near',
        '^near',
        '{title}: near',
        "near' OR 1=1 --",
        'near"',
        '""near""',
        'near\u0000',
        '(near',
        'near;',
      ]
      for (const q of awkward) for (const type of ['default', 'wildcards'] as const) await find(q, type)
      for (const words of [
        ['"'],
        ['*'],
        ['a"b'],
        ['\ud800'],
        ['\ue000'],
        ['¤a'],
        ['x'.repeat(10_000)],
        Array<string>(1_000).fill('near'),
      ]) {
        for (const matching of ['prefix', 'word', 'infix'] as const) await ids({ terms: [{ words, matching, excluded: false }] })
      }
    })

    it('takes hundreds of terms', async (t) => {
      const words = Array.from({ length: 200 }, (_, n) => `word${n}`)
      const { ids } = await library(t, [{ mediaId: 1, description: words.join(' ') }, { mediaId: 2 }])
      for (const matching of ['prefix', 'word', 'infix'] as const) {
        const terms = words.map((word) => ({ words: [word], matching, excluded: false }))
        assert.deepEqual(await ids({ terms }), [1])
        assert.deepEqual(await ids({ terms: terms.map((term) => ({ ...term, excluded: true })) }), [2])
      }
    })

    it('finds long words by their beginning and survives texts of any length', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, title: 'y'.repeat(10_000), description: 'lorem '.repeat(50_000) },
        { mediaId: 2, title: '\u0000\ud800 \ue000\u{1f600}', filename: '../../etc/passwd' },
      ])
      assert.deepEqual(await find('y'.repeat(3_000)), [1])
      assert.deepEqual(await find('lorem'), [1])
      assert.deepEqual(await find('passwd'), [2])
    })

    it('ignores terms without letters, digits or symbols', async (t) => {
      const { ids } = await library(t, [{ mediaId: 1, title: 'salt' }, { mediaId: 2 }])
      const salt = { words: ['salt'], matching: 'prefix', excluded: false } as const
      const nothing = { words: ['&', '…'], matching: 'prefix' } as const
      assert.deepEqual(
        await ids({
          terms: [
            { ...salt, words: ['salt'] },
            { ...nothing, words: ['&'], excluded: false },
          ],
        }),
        [1],
      )
      assert.deepEqual(
        await ids({
          terms: [
            { ...salt, words: ['salt'] },
            { ...nothing, words: ['…'], excluded: true },
          ],
        }),
        [1],
      )
    })
  })

  describe(`${name}: folders`, () => {
    const library3 = [
      { mediaId: 1, folders: [1], title: 'sea' },
      { mediaId: 2, folders: [1, 2], title: 'sea' },
      { mediaId: 3, folders: [2, 3], title: 'sea' },
      { mediaId: 4, folders: [9], title: 'land' },
    ]
    it('keeps to the folders of the scope and shows a file once', async (t) => {
      const { ids, find } = await library(t, library3)
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

    it('takes scopes of ten thousand folders', async (t) => {
      const { ids, find } = await library(t, library3)
      const many = Array.from({ length: 10_000 }, (_, n) => 100 + n)
      assert.deepEqual(await ids({ scope: { only: [...many, 2] } }), [2, 3])
      assert.deepEqual(await find('sea', 'wildcards', { scope: { except: [...many, 1] } }), [2, 3])
    })

    it('counts a term as matched in the folders that have it as tag', async (t) => {
      const { ids } = await library(t, library3)
      const term = { words: ['land'], matching: 'prefix', excluded: false, folders: [1] } as const
      const terms = [{ ...term, words: ['land'], folders: [1] }]
      assert.deepEqual(await ids({ terms }), [1, 2, 4])
      assert.deepEqual(await ids({ terms: [{ ...term, words: ['zebra'], folders: [777] }] }), [])
      assert.deepEqual(await ids({ terms: [{ ...term, words: ['land'], folders: [1], excluded: true }] }), [3])
      assert.deepEqual(await ids({ terms: [...terms, { words: ['sea'], matching: 'word', excluded: false }] }), [1, 2])
      assert.deepEqual(await ids({ terms: [{ ...term, words: ['lan'], matching: 'infix', folders: [3] }] }), [3, 4])
      assert.deepEqual(await ids({ terms, order: 'relevance', direction: 'desc', scope: { only: [1] } }), [2, 1])
    })
  })

  describe(`${name}: filters`, () => {
    it('filters by kind, ids and size', async (t) => {
      const { ids, find } = await library(t, [
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

    it('filters by dates, bounds included', async (t) => {
      const { ids, find } = await library(t, [
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

    it('filters by expiration', async (t) => {
      const { ids } = await library(t, [
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
    it('orders by creation, equal times by id', async (t) => {
      const { ids } = await library(t, [
        { mediaId: 8, created: 500 },
        { mediaId: 3, created: 700 },
        { mediaId: 5, created: 500 },
        { mediaId: 9, created: 100 },
      ])
      assert.deepEqual(await ids({ direction: 'asc' }), [9, 5, 8, 3])
      assert.deepEqual(await ids({ direction: 'desc' }), [3, 8, 5, 9])
    })

    it('orders by camera time, files without one last', async (t) => {
      const { ids } = await library(t, [
        { mediaId: 1, cameraCreated: 30 },
        { mediaId: 2, cameraCreated: null },
        { mediaId: 3, cameraCreated: 10 },
      ])
      assert.deepEqual(await ids({ order: 'cameraCreated', direction: 'asc' }), [3, 1, 2])
      assert.deepEqual(await ids({ order: 'cameraCreated', direction: 'desc' }), [1, 3, 2])
    })

    it('orders by distance along the ground, also across the date line and at the poles', async (t) => {
      const { ids } = await library(t, [
        { mediaId: 1, latitude: 0, longitude: -179.9 },
        { mediaId: 2, latitude: 0, longitude: 179 },
        { mediaId: 3, latitude: 89.9, longitude: 0 },
        { mediaId: 4 },
        { mediaId: 5, latitude: 0, longitude: 179.900001 },
      ])
      const near = { latitude: 0, longitude: 179.9 }
      assert.deepEqual(await ids({ order: 'distance', direction: 'asc', near }), [5, 1, 2, 3])
      assert.deepEqual(await ids({ order: 'distance', direction: 'desc', near }), [3, 2, 1, 5])
      assert.deepEqual(await ids({ order: 'distance', direction: 'asc', near: { latitude: 90, longitude: 77 } }).then((all) => all[0]), 3)
    })

    it('ranks files that have the terms in title or keywords first, and turns the order round', async (t) => {
      const { find } = await library(t, [
        { mediaId: 1, title: 'sea' },
        { mediaId: 2, description: 'the sea, among a good many other things that are to be seen here' },
        { mediaId: 3, description: 'land' },
      ])
      assert.deepEqual(await find('sea', 'default', { order: 'relevance', direction: 'desc' }), [1, 2])
      assert.deepEqual(await find('sea', 'default', { order: 'relevance', direction: 'asc' }), [2, 1])
      assert.deepEqual(await find('sea', 'wildcards', { order: 'relevance', direction: 'desc' }), [1, 2])
      assert.deepEqual(await find('-sea', 'default', { order: 'relevance', direction: 'desc' }), [3])
    })

    it('pages through any order without gaps or repeats, with the same total', async (t) => {
      const count = 2_600
      const { search } = await library(
        t,
        Array.from({ length: count }, (_, n) => ({
          mediaId: n + 1,
          created: 1_000 + (n % 50),
          cameraCreated: n % 3 ? n % 40 : null,
          latitude: n % 60,
          longitude: n % 7,
          ...(n % 4 === 0 ? { title: 'sea' } : { description: 'sea' }),
        })),
      )
      const near = { latitude: 1, longitude: 1 }
      const terms = parseQuery('sea', 'default')
      for (const order of ['created', 'relevance', 'cameraCreated', 'distance'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const seen: number[] = []
          for (let offset = 0; offset < count; offset += 700) {
            const page = await search({ terms, order, direction, limit: 700, offset, ...(order === 'distance' && { near }) })
            assert.equal(page.total, count)
            seen.push(...page.mediaIds)
          }
          assert.equal(new Set(seen).size, count, `${order} ${direction}`)
          assert.deepEqual(
            await search({ terms, order, direction, limit: 24, offset: 9_000 }).then(
              (page) => page.mediaIds,
              () => [],
            ),
            [],
          )
        }
      }
      const first = await search({ terms, order: 'relevance', direction: 'desc', limit: 650, offset: 0 })
      assert.ok(first.mediaIds.every((id) => id % 4 === 1))
      assert.deepEqual(await search({ terms, limit: 0 }), { total: count, mediaIds: [] })
    })
  })

  describe(`${name}: changes`, () => {
    it('shows changes, moves and removals with the next search', async (t) => {
      const { find, ids, commit } = await library(t, [
        { mediaId: 1, title: 'old' },
        { mediaId: 2, title: 'old' },
      ])
      assert.deepEqual(await find('old'), [1, 2])
      commit(aDocument({ mediaId: 1, revision: 2, title: 'new' }))
      assert.deepEqual(await find('old'), [2])
      assert.deepEqual(await find('ew', 'wildcards'), [1])
      commit(aDocument({ mediaId: 1, revision: 3, title: 'new', folders: [5, 6] }))
      assert.deepEqual(await ids({ scope: { only: [6] } }), [1])
      assert.deepEqual(await ids({ scope: { only: [1] } }), [2])
      commit({ mediaId: 2, revision: 2, removed: true })
      assert.deepEqual(await ids(), [1])
      assert.deepEqual(await find('old', 'wildcards'), [])
      commit(aDocument({ mediaId: 2, revision: 3, title: 'back' }))
      assert.deepEqual(await find('back'), [2])
    })

    it('applies changes that come late, twice or in the wrong order by their revision', async (t) => {
      const { find, ids, commit } = await library(t, [{ mediaId: 1, revision: 3, title: 'third' }])
      commit(aDocument({ mediaId: 1, revision: 2, title: 'second' }), aDocument({ mediaId: 1, revision: 3, title: 'third' }))
      assert.deepEqual(await find('third'), [1])
      commit({ mediaId: 1, revision: 4, removed: true }, aDocument({ mediaId: 1, revision: 3, title: 'third' }))
      assert.deepEqual(await ids(), [])
      commit(aDocument({ mediaId: 1, revision: 3, title: 'third' }), { mediaId: 1, revision: 4, removed: true })
      assert.deepEqual(await ids(), [])
      commit({ mediaId: 9, revision: 5, removed: true })
      assert.deepEqual(await ids(), [])
      commit(aDocument({ mediaId: 9, revision: 4, title: 'too late' }))
      assert.deepEqual(await ids(), [])
    })

    it('keeps companies apart', async (t) => {
      const feed = new MemoryFeed()
      feed.commit(1, aDocument({ mediaId: 1, title: 'shared' }))
      feed.commit(2, aDocument({ mediaId: 2, title: 'shared' }))
      const { engine, close } = await open(feed)
      t.after(close)
      const find = (company: number) => engine.search(company, { ...everything, terms: parseQuery('shared', 'default') })
      assert.deepEqual(await Promise.all([find(1), find(2), find(3)]), [
        { total: 1, mediaIds: [1] },
        { total: 1, mediaIds: [2] },
        { total: 0, mediaIds: [] },
      ])
    })
  })
}
