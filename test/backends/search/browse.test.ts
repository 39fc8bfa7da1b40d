import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it, onTestFinished } from 'vitest'
import type { FolderScope, SearchDocument, SearchQuery } from '../../../shared/backends/search/port.ts'
import type { Term } from '../../../shared/vocabulary/term.ts'
import { aDocument, type Change, MemoryFeed } from './memory-feed.ts'
import { oracleAnswer } from './oracle.ts'
import { openEmbedded } from './workplace.ts'

const FOLDERS = 24

/** Files that lie where their age says, anywhere, or in several folders; of some hundreds, so that every way to a page is gone. */
const files = fc
  .record({
    count: fc.integer({ min: 300, max: 500 }),
    /** Files of so many in a row go into the same folder: old ones and new ones lie apart. */
    run: fc.constantFrom(1, 7, 60, 200),
    /** Every so many-th lies in a second folder, and of these every third in a third. */
    shared: fc.constantFrom(2, 5, 40, 1_000),
    seed: fc.nat(FOLDERS - 1),
  })
  .map(({ count, run, shared, seed }) =>
    Array.from({ length: count }, (_, n) => {
      const folder = 1 + ((Math.floor(n / run) + seed) % FOLDERS)
      const second = 1 + ((n * 7 + seed) % FOLDERS)
      const third = 1 + ((n * 11) % FOLDERS)
      const folders = n % shared === 0 ? [folder, second, ...(n % (3 * shared) === 0 ? [third] : [])] : [folder]
      return aDocument({ mediaId: n + 1, created: n >> 1, folders: [...new Set(folders)] })
    }),
  )

/** What happens to files afterwards: they move, are copied, go, and come again. */
const happening = fc.record({
  mediaId: fc.integer({ min: 1, max: 500 }),
  folders: fc.uniqueArray(fc.integer({ min: 1, max: FOLDERS + 2 }), { minLength: 1, maxLength: 3 }),
  removed: fc.boolean(),
})

/** Folders of a query; as a long list, too, of which most are empty: engines keep such lists. */
const list = fc
  .tuple(
    fc.oneof(
      fc.uniqueArray(fc.integer({ min: 1, max: FOLDERS + 2 }), { maxLength: FOLDERS }),
      // At first nothing lies in these.
      fc.subarray([FOLDERS + 1, FOLDERS + 2], { minLength: 1 }),
    ),
    fc.boolean(),
  )
  .map(([folders, isLong]) => (isLong ? [...folders, ...Array.from({ length: 600 }, (_, n) => 1_000 + n)] : folders))

const page = fc.record({
  direction: fc.constantFrom('asc', 'desc' as const),
  offset: fc.constantFrom(0, 0, 1, 13, 150),
  limit: fc.constantFrom(0, 1, 5, 24, 400),
})

it('browsing finds what a look at every file finds, wherever files lie and move', async () => {
  let company = 0
  const feed = new MemoryFeed({ page: 100, overlap: 3 })
  const { engine, close } = await openEmbedded(feed)
  onTestFinished(close)
  const lists = fc.array(list, { minLength: 1, maxLength: 12 })
  const queries = fc.array(fc.record({ list: fc.nat(11), isOnly: fc.boolean(), tagged: fc.option(fc.nat(11)), page }), {
    minLength: 4,
    maxLength: 10,
  })
  const rounds = fc.array(fc.tuple(fc.array(happening, { maxLength: 20 }), queries), { minLength: 1, maxLength: 3 })
  const property = fc.asyncProperty(files, lists, rounds, async (all, known, history) => {
    const companyId = ++company
    const there = new Map(all.map((document) => [document.mediaId, document]))
    feed.commit(companyId, ...all)
    let revision = 1
    for (const [happenings, asked] of history) {
      for (const { mediaId, folders, removed } of happenings) {
        revision++
        const before = there.get(mediaId)
        const change: Change = removed
          ? { mediaId, revision, removed: true }
          : { ...(before ?? aDocument({ mediaId, created: mediaId >> 1 })), revision, folders }
        feed.commit(companyId, change)
        if ('removed' in change) there.delete(mediaId)
        else there.set(mediaId, change)
      }
      for (const { list: n, isOnly, tagged, page: wanted } of asked) {
        const folders = known[n % known.length]!
        const scope: FolderScope = isOnly ? { only: folders } : { except: folders }
        const term: Term[] =
          tagged === null ? [] : [{ words: ['x'], matching: 'word', excluded: false, folders: known[tagged % known.length]! }]
        const query: SearchQuery = { terms: term, scope, order: 'created', ...wanted }
        const expected = oracleAnswer(
          asOracleSees(there.values()),
          query,
          term.map((one) => ({ ...one, tokens: ['x'] })),
        )
        assert.deepEqual(await engine.search(companyId, query), expected)
      }
    }
  })
  await fc.assert(property, { numRuns: 10 })
})

it('files are found that lie far behind all others', async () => {
  const feed = new MemoryFeed({ page: 1_000 })
  const { engine, close } = await openEmbedded(feed)
  onTestFinished(close)
  feed.commit(1, ...Array.from({ length: 600 }, (_, n) => aDocument({ mediaId: n + 1, folders: [n < 200 ? 2 : 1] })))
  for (const scope of [{ only: [2, 3, 4, 5] }, { except: [1] }]) {
    const found = await engine.search(1, { terms: [], scope, order: 'created', direction: 'desc', limit: 3, offset: 1 })
    assert.deepEqual(found, { total: 200, mediaIds: [199, 198, 197] })
  }
})

it('a query may name more long lists of folders than are kept', async () => {
  const feed = new MemoryFeed()
  const { engine, close } = await openEmbedded(feed)
  onTestFinished(close)
  feed.commit(1, ...Array.from({ length: 20 }, (_, n) => aDocument({ mediaId: n + 1, folders: [n + 1, 100] })))
  const long = (folder: number) => [folder, ...Array.from({ length: 600 }, (_, n) => 1_000 + n)]
  const terms = Array.from({ length: 20 }, (_, n): Term => ({ words: [`tag${n}`], matching: 'word', excluded: true, folders: long(n + 1) }))
  const ask = (some: Term[]) =>
    engine.search(1, { terms: some, scope: { only: long(100) }, order: 'created', direction: 'asc', limit: 30, offset: 0 })
  for (let round = 0; round < 3; round++) {
    const [most, all] = [await ask(terms.slice(0, 15)), await ask(terms)]
    assert.deepEqual(most.mediaIds, [16, 17, 18, 19, 20])
    assert.equal(all.total, 0)
  }
})

function asOracleSees(documents: Iterable<SearchDocument>) {
  const texts = { title: [], keywords: [], filename: [], elsewhere: [] }
  return Array.from(documents, (document) => ({ document, texts }))
}
