import assert from 'node:assert/strict'
import { open, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, onTestFinished } from 'vitest'
import { catchUp } from '../../../shared/backends/search/catch-up.ts'
import { IndexFile } from '../../../shared/backends/search/index-file.ts'
import type { DocumentFeed, SearchDocument, SearchQuery } from '../../../shared/backends/search/port.ts'
import { parseQuery } from '../../../shared/vocabulary/parse-query.ts'
import { searchContract } from './contract.ts'
import { library } from './contract-library.ts'
import { aDocument, MemoryFeed } from './memory-feed.ts'
import { compareWithOracle } from './oracle-property.ts'
import { COMPANY, counted, everything, libraryOf, openEmbedded, overwrite, total, workplace } from './workplace.ts'

searchContract('embedded search', openEmbedded)

it('an engine finds what a look at every document finds, whatever the changes, their order and the query', () => {
  return compareWithOracle(openEmbedded, 8)
})

it('an order by distance needs a place to measure from', async () => {
  const feed = new MemoryFeed()
  const { engine, close } = await openEmbedded(feed)
  onTestFinished(close)
  feed.commit(1, aDocument({ mediaId: 1, folders: [1] }))
  const query: SearchQuery = { terms: [], scope: { only: [1] }, order: 'distance', direction: 'asc', limit: 10, offset: 0 }
  await assert.rejects(engine.search(1, query), /a place to measure from/)
})

it('counts a file that several of the folders hold once', async () => {
  const feed = new MemoryFeed()
  const { engine, close } = await openEmbedded(feed)
  onTestFinished(close)
  feed.commit(1, ...[[1], [1, 2], [1, 2, 3], [2, 3], [3, 4]].map((folders, n) => aDocument({ mediaId: n + 1, folders })))
  for (const [only, files] of [
    [[1, 2], 4],
    [[2, 4], 4],
    [[1, 2, 3], 5],
  ] as const) {
    const query: SearchQuery = { terms: [], scope: { only: [...only] }, order: 'created', direction: 'asc', limit: 10, offset: 0 }
    const { total, mediaIds } = await engine.search(1, query)
    assert.deepEqual([total, mediaIds.length], [files, files])
  }
})

describe('embedded search: rare and common words', () => {
  it('finds beginnings of few words and of very many, rare and common ones', async () => {
    const files = Array.from({ length: 200 }, (_, n) => ({
      mediaId: n + 1,
      title: n % 2 ? 'harbour' : 'harbour7',
      keywords: [`harbour${n}`, ...(n % 3 ? [] : ['boat'])],
    }))
    const { find, commit } = await library(openEmbedded, files)
    const found = (word: string) =>
      files.filter(({ title, keywords }) => [title, ...keywords].some((one) => one.startsWith(word))).map(({ mediaId }) => mediaId)
    const boats = found('boat')
    const compare = async () => {
      // Of 202, 12, 112 and one.
      for (const word of ['harbour', 'harbour7', 'harbour1', 'harbour199']) {
        const all = found(word)
        for (const order of ['created', 'relevance'] as const) {
          const ascending = async (q: string) => (await find(q, 'default', { order, limit: 200 })).toSorted((a, b) => a - b)
          assert.deepEqual(await ascending(word), all)
          assert.deepEqual(
            await ascending(`${word} boat`),
            all.filter((id) => boats.includes(id)),
          )
          assert.deepEqual(
            await ascending(`boat -${word}`),
            boats.filter((id) => !all.includes(id)),
          )
        }
      }
    }
    await compare()
    for (const { mediaId } of files.splice(50, 60)) {
      commit({ mediaId, revision: 2, removed: true })
      if (boats.includes(mediaId)) boats.splice(boats.indexOf(mediaId), 1)
    }
    await compare()
  })

  it('ranks a common term beside a rare one: in title or keywords before elsewhere', async () => {
    const { find } = await library(openEmbedded, [
      ...[1, 2, 3].map((mediaId) => ({ mediaId, title: 'harbour wall', description: 'blue' })),
      { mediaId: 4, title: 'harbour blue', description: 'wall' },
      ...[5, 6].map((mediaId) => ({ mediaId, title: 'harbour wall', description: 'blue' })),
      ...Array.from({ length: 50 }, (_, n) => ({ mediaId: 10 + n, description: ['blue', 'bluebell', 'land', 'sea', 'hill'][n % 5] })),
    ])
    assert.equal((await find('harbour blue', 'default', { order: 'relevance', direction: 'desc' }))[0], 4)
    assert.equal((await find('harbour blue', 'default', { order: 'relevance', direction: 'asc' })).at(-1), 4)
    assert.equal((await find('harbour blue', 'strict_and_search', { order: 'relevance', direction: 'desc' }))[0], 4)
  })
})

describe('embedded search: keeping up', () => {
  it('goes on after a restart where it was', async () => {
    const { start } = await workplace()
    const feed = libraryOf(500)
    const first = start(feed)
    assert.equal(await total(first), 500)
    await first.close()
    feed.commit(COMPANY, aDocument({ mediaId: 501 }))
    const reading = counted(feed)
    assert.equal(await total(start(reading)), 501)
    assert.ok(reading.told < 20, `${reading.told} changes read again`)
  })

  it('does not let a search that comes during a catch-up make do with it', async () => {
    const { start } = await workplace()
    const feed = libraryOf(1)
    let entered = () => {}
    let release = () => {}
    const inside = new Promise<void>((resolve) => {
      entered = resolve
    })
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: DocumentFeed = {
      documents: feed.documents.bind(feed),
      async changes(companyId, position) {
        const page = await feed.changes(companyId, position)
        entered()
        await gate
        return page
      },
    }
    const engine = start(slow)
    const before = total(engine)
    await inside
    feed.commit(COMPANY, aDocument({ mediaId: 2 }))
    const after = total(engine)
    release()
    assert.equal(await before, 1)
    assert.equal(await after, 2)
  })

  it('lets other work have its turn whenever a stretch of a long catch-up is over', async () => {
    const { file } = await workplace()
    const index = new IndexFile(file)
    onTestFinished(() => index.close())
    let turns = 0
    let done = false
    const others = (async () => {
      for (; !done; turns++) await new Promise(setImmediate)
    })()
    const noTime = 0
    await catchUp(COMPANY, index, libraryOf(300, new MemoryFeed({ page: 300 })), {
      signal: AbortSignal.timeout(60_000),
      slice: noTime,
    })
    done = true
    await others
    assert.equal(index.value('SELECT files FROM state'), 300)
    assert.ok(turns >= 299 + 13, `${turns} turns for putting down and indexing 300 files`)
  })

  it('ends a catch-up when it is closed, and an engine opened later finishes it', async () => {
    const { start } = await workplace()
    const feed = libraryOf(2_000, new MemoryFeed({ page: 2_000 }))
    const engine = start(feed)
    const search = assert.rejects(total(engine), { name: 'AbortError' })
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
    await engine.close()
    await search
    await assert.rejects(total(engine), /closed/)
    assert.equal(await total(start(feed)), 2_000)
  })

  it('writes few rows for each of very many files of one moment', async () => {
    const { file, start } = await workplace()
    const feed = new MemoryFeed({ page: 2_000 })
    const files = (from: number, to: number, created: number) =>
      Array.from({ length: to - from }, (_, n) => aDocument({ mediaId: 1 + (((from + n) * 577) % 4_001), created, title: 'x' }))
    const written = async (...committed: SearchDocument[]) => {
      feed.commit(COMPANY, ...committed)
      const index = new IndexFile(file)
      await catchUp(COMPANY, index, feed, { signal: AbortSignal.timeout(60_000) })
      const rows = index.value('SELECT total_changes()')
      index.close()
      return rows
    }
    const [stands, later] = [files(0, 500, 100), files(500, 1_500, 200)]
    const usual = (await written(...stands, ...later)) / 1_500
    const among = files(1_500, 2_000, 100)
    const rowsAmong = await written(...among)
    assert.ok(rowsAmong < 20 * usual * among.length, `${rowsAmong} rows among files of the same moment, usually ${usual} a file`)
    const last = files(2_000, 2_600, 9_000)
    let rowsLast = 0
    for (let at = 0; at < last.length; at += 50) rowsLast += await written(...last.slice(at, at + 50))
    assert.ok(rowsLast < 20 * usual * last.length, `${rowsLast} rows at the end, usually ${usual} a file`)
    const inOrder = [...stands, ...later, ...among, ...last].toSorted((a, b) => a.created - b.created || a.mediaId - b.mediaId)
    const engine = start(feed)
    const pages = await Promise.all([0, 1_000, 2_000].map((offset) => engine.search(COMPANY, { ...everything, offset })))
    assert.deepEqual(
      pages.flatMap(({ mediaIds }) => mediaIds),
      inOrder.map(({ mediaId }) => mediaId),
    )
  })

  it('merges what changes left in pieces, once they are many, while searches go on', async () => {
    const { start, file } = await workplace()
    const feed = new MemoryFeed()
    const words = (of: number) => Array.from({ length: 1_000 }, (_, n) => `word${of}x${n}`).join(' ')
    for (let mediaId = 1; mediaId <= 250; mediaId++) feed.commit(COMPANY, aDocument({ mediaId, description: words(mediaId) }))
    const engine = start(feed)
    const pieces = () => {
      const index = IndexFile.readOnly(file)
      const counts = ['texts', 'terms'].map((table) => index.value(`SELECT count(DISTINCT segid) FROM ${table}_idx`))
      index.close()
      return counts
    }
    await total(engine)
    await engine.mergeWorn()
    assert.deepEqual(pieces(), [1, 1])
    feed.commit(COMPANY, aDocument({ mediaId: 1, revision: 2, title: 'one other' }))
    await total(engine)
    await engine.mergeWorn()
    assert.deepEqual(pieces(), [2, 2], 'a single change is not worth it')
    for (let mediaId = 2; mediaId < 60; mediaId++) {
      feed.commit(COMPANY, aDocument({ mediaId, revision: 2, title: 'one other', description: words(mediaId) }))
      await total(engine)
    }
    assert.ok(Math.min(...pieces()) > 2, `${pieces()} pieces`)
    const merging = engine.mergeWorn()
    feed.commit(COMPANY, aDocument({ mediaId: 251 }))
    assert.equal(await total(engine), 251)
    await merging
    assert.ok(Math.max(...pieces()) <= 2, `${pieces()} pieces: the last change may be one of its own`)
    const changed = await engine.search(COMPANY, { ...everything, terms: parseQuery('other', 'default') })
    assert.equal(changed.total, 59)
  })
})

describe('embedded search: files that can not be used', () => {
  it('builds an index again that is no database', async () => {
    const { start, file } = await workplace()
    await writeFile(file, 'not a database, by any means'.repeat(100))
    assert.equal(await total(start(libraryOf(30))), 30)
  })

  it('builds an index again that another version made', async () => {
    const { start, file } = await workplace()
    const feed = libraryOf(30)
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE doc (whatever); PRAGMA user_version = 999')
    other.close()
    assert.equal(await total(start(feed)), 30)
  })

  it('builds an index again that was cut short or overwritten', async () => {
    const { start, file } = await workplace()
    const feed = libraryOf(2_000)
    for (const damage of ['cut', 'overwrite'] as const) {
      const engine = start(feed)
      assert.equal(await total(engine), 2_000)
      await engine.close()
      const handle = await open(file, 'r+')
      const { size } = await handle.stat()
      if (damage === 'cut') await handle.truncate(Math.floor(size / 3))
      else await handle.write(Buffer.alloc(size - 8_192, 0xab), 0, size - 8_192, 8_192)
      await handle.close()
      const next = start(feed)
      assert.equal(await total(next), 2_000, damage)
      // The last to close a file writes to it what stands in its log.
      await next.close()
    }
  })

  it('builds an index again that is overwritten while it is in use', async () => {
    const { start, file } = await workplace()
    const feed = libraryOf(2_000)
    const engine = start(feed)
    assert.equal(await total(engine), 2_000)
    await overwrite(file)
    feed.commit(COMPANY, aDocument({ mediaId: 2_001 }))
    const searches = Array.from({ length: 5 }, () =>
      engine.search(COMPANY, { ...everything, terms: [{ words: ['file'], matching: 'prefix', excluded: false }] }),
    )
    for (const { total: found } of await Promise.all(searches)) assert.equal(found, 2_000)
    assert.equal(await total(engine), 2_001)
  })
})
