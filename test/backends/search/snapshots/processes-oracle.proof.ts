import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it } from 'vitest'
import type { Removal, SearchDocument, SearchQuery, SearchResult } from '../../../../shared/backends/search/port.ts'
import { aDocument, MemoryFeed } from '../memory-feed.ts'
import { snapshotsInMemory } from './snapshots-in-memory.ts'

const COMPANY = 1

const word = fc.constantFrom('sun', 'sunset', 'harbour', 'red', 'wine', 'ship', 'the', 'of')
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))

const change: fc.Arbitrary<SearchDocument | Removal> = fc
  .record({
    mediaId: fc.integer({ min: 1, max: 30 }),
    created: fc.integer({ min: 1, max: 5 }),
    folders: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
    title: text,
    description: text,
    keywords: fc.array(word, { maxLength: 4 }),
    isRemoved: fc.boolean(),
  })
  .map(({ isRemoved, ...fields }) => (isRemoved ? { mediaId: fields.mediaId, revision: 1, removed: true } : aDocument(fields)))

const queries: SearchQuery[] = ['sun', 'red', 'the'].flatMap((words) =>
  (['prefix', 'word', 'infix'] as const).flatMap((matching) =>
    (['asc', 'desc'] as const).flatMap((direction) => {
      const query = { terms: [{ words: [words], matching, excluded: false }], scope: { except: [4] }, direction }
      const page = { limit: 7, offset: 1 }
      const all = { limit: 1_000, offset: 0 }
      return [
        { ...query, ...page, order: 'created' as const },
        { ...query, ...page, order: 'cameraCreated' as const },
        { ...query, ...all, order: 'relevance' as const },
      ]
    }),
  ),
)

/** Relevance counts versions of documents that an index had before, so the order of files that are about as relevant may differ. */
const comparable = ({ order }: SearchQuery, { total, mediaIds }: SearchResult) => ({
  total,
  mediaIds: order === 'relevance' ? mediaIds.toSorted((a, b) => a - b) : mediaIds,
})

it('every process finds the same and shows the same pages, whatever its index went through', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 10, maxLength: 80 }), fc.nat(), async (changes, at) => {
      const feed = new MemoryFeed({ page: 7 })
      const processes = await snapshotsInMemory(feed)
      try {
        const old = processes.start()
        for (const [n, each] of changes.entries()) {
          feed.commit(COMPANY, { ...each, revision: n + 1 })
          if (n % 5 === 0) await old.search(COMPANY, queries[n % queries.length]!)
          if (n === at % changes.length) await processes.write(COMPANY)
        }
        const withSnapshot = processes.start()
        await processes.write(COMPANY)
        const [fresh, another] = [processes.start(), await snapshotsInMemory(feed)]
        try {
          const built = another.start()
          for (const query of queries) {
            const expected = comparable(query, await built.search(COMPANY, query))
            for (const engine of [old, withSnapshot, fresh]) {
              assert.deepEqual(comparable(query, await engine.search(COMPANY, query)), expected)
            }
          }
        } finally {
          await another.close()
        }
      } finally {
        await processes.close()
      }
    }),
    { numRuns: 60 },
  )
})
