import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { parseQuery } from '../../../shared/vocabulary/parse-query.ts'
import { everything, library, type OpenEngine } from './contract-library.ts'
import { aDocument, MemoryFeed } from './memory-feed.ts'

/** How engines follow the feed. */
export function changesContract(name: string, open: OpenEngine): void {
  describe(`${name}: changes`, () => {
    it('shows changes, moves and removals with the next search', async () => {
      const { find, ids, commit } = await library(open, [
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

    it('shows that a file is of another kind than before', async () => {
      const { find, commit } = await library(open, [{ mediaId: 1, kind: 'generic', title: 'sea' }])
      commit(aDocument({ mediaId: 1, revision: 2, kind: 'video', title: 'sea' }))
      assert.deepEqual(await find('sea', 'default', { kinds: ['generic'] }), [])
      assert.deepEqual(await find('sea', 'default', { kinds: ['video'] }), [1])
    })

    it('applies changes that come late, twice or in the wrong order by their revision', async () => {
      const { find, ids, commit } = await library(open, [{ mediaId: 1, revision: 3, title: 'third' }])
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

    it('keeps companies apart', async () => {
      const feed = new MemoryFeed()
      feed.commit(1, aDocument({ mediaId: 1, title: 'shared' }))
      feed.commit(2, aDocument({ mediaId: 2, title: 'shared' }))
      const { engine, close } = await open(feed)
      onTestFinished(close)
      const find = (company: number) => engine.search(company, { ...everything, terms: parseQuery('shared', 'default') })
      assert.deepEqual(await Promise.all([find(1), find(2), find(3)]), [
        { total: 1, mediaIds: [1] },
        { total: 1, mediaIds: [2] },
        { total: 0, mediaIds: [] },
      ])
    })
  })
}
