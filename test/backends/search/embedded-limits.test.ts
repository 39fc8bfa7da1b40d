import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, it } from 'vitest'
import { indexSizes } from '../../../shared/backends/search/index-folder.ts'
import { type DocumentFeed, IndexBehind, IndexTooLarge } from '../../../shared/backends/search/port.ts'
import { aDocument, MemoryFeed } from './memory-feed.ts'
import { COMPANY, counted, everything, libraryOf, total, workplace } from './workplace.ts'

const MB = 1_000_000

/** A feed that tells the first pages and then holds, until it is let go or fails. */
function held(feed: DocumentFeed, pages: number) {
  let letGo = () => {}
  let fail = (_: Error) => {}
  const gate = new Promise<void>((resolve, reject) => {
    letGo = resolve
    fail = reject
  })
  gate.catch(() => {})
  let calls = 0
  return {
    letGo: () => letGo(),
    fail: (error: Error) => fail(error),
    documents: feed.documents.bind(feed),
    changes: async (companyId: number, position: string | undefined) => {
      if (calls++ >= pages) await gate
      return feed.changes(companyId, position)
    },
  }
}

describe('embedded search: an index that takes longer than its caller waits', () => {
  it('is told to be behind, goes on meanwhile, and answers when it is done', async () => {
    const { start } = await workplace()
    const reading = counted(libraryOf(1_000))
    const feed = held(reading, 3)
    const engine = start(feed, { maxWaitMs: 50 })
    await assert.rejects(total(engine), IndexBehind)
    await assert.rejects(total(engine), IndexBehind)
    feed.letGo()
    // However slow the machine is: somebody who asks again and again is answered.
    for (;;) {
      const found = await total(engine).catch((error: unknown) => assert.ok(error instanceof IndexBehind))
      if (found === undefined) continue
      assert.equal(found, 1_000)
      break
    }
    assert.ok(reading.told < 1_200, `${reading.told} changes were read`)
  })

  it('goes on from where it was when what was under way has failed', async () => {
    const { start } = await workplace()
    const reading = counted(libraryOf(1_000))
    const feed = held(reading, 5)
    const impatient = start(feed, { maxWaitMs: 50 })
    await assert.rejects(total(impatient), IndexBehind)
    feed.fail(new Error('the connection broke while nobody asked'))
    await impatient.close()
    assert.equal(await total(start(reading)), 1_000)
    assert.ok(reading.told < 1_200, `${reading.told} changes were read`)
  })
})

describe('embedded search: more than there is room for', () => {
  const companies = [1, 2, 3, 4, 5, 6]
  const someOf = (size: number) => {
    const feed = new MemoryFeed()
    for (const company of companies) {
      const mediaId = (n: number) => company * 100_000 + n
      feed.commit(company, ...Array.from({ length: size }, (_, n) => aDocument({ mediaId: mediaId(n), title: `file ${n} of ${company}` })))
    }
    return feed
  }

  it('deletes the indexes of the companies that were used longest ago, and builds them again when they are', async () => {
    const { directory, start } = await workplace()
    const engine = start(someOf(500), { maxBytes: 3 * MB })
    const search = async (company: number) => (await engine.search(company, everything)).total
    for (const company of companies) assert.equal(await search(company), 500)
    const sizes = indexSizes(directory)
    assert.ok(sizes.values().reduce((sum, size) => sum + size, 0) <= 3 * MB)
    assert.ok(sizes.size > 0 && sizes.size < companies.length, [...sizes.keys()].join())
    assert.deepEqual([...sizes.keys()].sort(), companies.slice(-sizes.size))
    for (const company of companies) assert.equal(await search(company), 500)
  })

  it('says that a company is too large where it alone is, deletes what there was of it, and serves the others', async () => {
    const { directory, start } = await workplace()
    const feed = someOf(100)
    const reading = counted(libraryOf(5_000, feed))
    const engine = start(reading, { maxBytes: MB })
    await engine.search(2, everything)
    await assert.rejects(total(engine), IndexTooLarge)
    const { calls } = reading
    await assert.rejects(total(engine), IndexTooLarge)
    assert.equal(reading.calls, calls, 'it was tried again')
    assert.equal((await engine.search(3, everything)).total, 100)
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.startsWith(`${COMPANY}.`)),
      [],
    )
  })
})
