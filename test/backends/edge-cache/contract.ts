import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test, vi } from 'vitest'
import { type EdgeCache, MAX_PREFIXES, MAX_TAGS } from '../../../shared/backends/edge-cache/port.ts'

/** A cache whose requests a test can look at. */
export interface EdgeCacheUnderTest {
  cache: EdgeCache
  close(): Promise<void>
}

/** What every adapter of edge caches promises. */
export function edgeCacheContract(name: string, open: () => Promise<EdgeCacheUnderTest>): void {
  describe(`edge cache contract: ${name}`, () => {
    function promises(title: string, check: (cache: EdgeCache) => Promise<void>): void {
      test(title, async () => {
        const under = await open()
        try {
          await check(under.cache)
        } finally {
          await under.close()
        }
      })
    }

    async function done(cache: EdgeCache, id: string): Promise<void> {
      await vi.waitUntil(() => cache.isDone(id), { timeout: 60_000, interval: 100 })
    }

    promises('as many tags as one request takes are', async (cache) => {
      const tags = Array.from({ length: MAX_TAGS }, (_, index) => `link-${index}`)
      await done(cache, await cache.invalidate({ tags }, randomUUID()))
    })

    promises('as many beginnings of paths as one request takes are forgotten in the end', async (cache) => {
      const prefixes = Array.from({ length: MAX_PREFIXES }, (_, index) => `/streams/${index}/`)
      await done(cache, await cache.invalidate({ prefixes }, randomUUID()))
    })

    promises('requests have ids of their own; one that is repeated has its first', async (cache) => {
      const [first, second] = [randomUUID(), randomUUID()]
      const what = { tags: ['link-1', 'link-2'] }
      const id = await cache.invalidate(what, first)
      assert.notEqual(await cache.invalidate(what, second), id)
      assert.equal(await cache.invalidate(what, first), id)
    })

    promises('a request that nobody knows any more is done', async (cache) => {
      assert.equal(await cache.isDone('I2J0I21PCUYOIK'), true)
    })
  })
}
