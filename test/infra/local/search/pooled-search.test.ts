import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, it, onTestFinished, vi } from 'vitest'
import type { IndexWriter } from '../../../../infra/local/search/index-writer.ts'
import { PooledSearch, type PooledSearchOptions } from '../../../../infra/local/search/pooled-search.ts'
import { type EmbeddedSearch, embeddedSearch } from '../../../../shared/backends/search/embedded.ts'
import { SearchBusy, type SearchResult } from '../../../../shared/backends/search/port.ts'
import { changesContract } from '../../../backends/search/contract-changes.ts'
import type { OpenEngine } from '../../../backends/search/contract-library.ts'
import { selectionContract } from '../../../backends/search/contract-selection.ts'
import { aDocument } from '../../../backends/search/memory-feed.ts'
import { COMPANY, everything, libraryOf, overwrite, workplace } from '../../../backends/search/workplace.ts'
import { childrenRunning, killed, startedBy } from './children.ts'

const READER = 'reader-process.ts'
/** As if something had been committed before each search. */
const versions = () => {
  let version = 0
  return () => version++
}

const waits = { maxWaitMs: 60_000, longest: 60_000, longestOfSlow: 60_000, waiting: 1_000, waitingOfCompany: 1_000 }
const patient = { ...waits, pathOf: () => 'nowhere', readers: 2 }

function pooled(writer: IndexWriter, options: Partial<PooledSearchOptions> = {}): PooledSearch {
  const engine = new PooledSearch({ ...patient, writer, version: versions(), ...options })
  onTestFinished(() => engine.close())
  return engine
}

// One pool for all tests of the contract: each would start processes of its own.
const behind: { engine?: EmbeddedSearch } = {}
const writer: IndexWriter = { upToDate: (companyId, damaged) => behind.engine!.upToDate(companyId, damaged) }
const shared = new PooledSearch({ ...patient, writer, version: versions() })
afterAll(() => shared.close())

const open: OpenEngine = async (feed) => {
  const directory = await mkdtemp(join(tmpdir(), 'search-'))
  const engine = embeddedSearch({ directory, feed })
  behind.engine = engine
  const close = async () => {
    await engine.close()
    await rm(directory, { recursive: true })
  }
  return { engine: shared, close }
}
// What every part of a query asks for, and what is found, passes between processes. What words mean is the same code on either side.
selectionContract('pooled search', open)
changesContract('pooled search', open)

/** Asks until a reader answers in time: on a busy machine the start of one takes long. */
const answered = (search: PooledSearch) =>
  vi.waitFor(async () => assert.equal((await search.search(COMPANY, everything)).total, 3), { timeout: 120_000 })

/** A writer whose index lets no query through until it is released. */
async function heldIndex() {
  const { start, file } = await workplace()
  const engine = start(libraryOf(3))
  const edition = await engine.upToDate(COMPANY)
  await engine.close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  const release = () => database.isOpen && database.close()
  onTestFinished(() => void release())
  return { writer: { upToDate: async () => edition }, release }
}

describe('pooled search', () => {
  it('finds what is in the index so far where bringing it up to date takes too long, and says so', async () => {
    const { start, file } = await workplace()
    const feed = libraryOf(3)
    const engine = start(feed)
    await engine.upToDate(COMPANY)
    feed.commit(COMPANY, aDocument({ mediaId: 4 }))
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const upToDate = async (companyId: number) => {
      await held
      return engine.upToDate(companyId)
    }
    const search = pooled({ upToDate }, { maxWaitMs: 100, pathOf: () => file })
    for (let n = 0; n < 2; n++) {
      assert.deepEqual(await search.search(COMPANY, everything), { total: 3, mediaIds: [1, 2, 3], partial: true })
    }
    release()
    await engine.upToDate(COMPANY)
    assert.deepEqual(await pooled({ upToDate }, { pathOf: () => file }).search(COMPANY, everything), { total: 4, mediaIds: [1, 2, 3, 4] })
    let later: SearchResult
    do later = await search.search(COMPANY, everything)
    while (later.partial)
    assert.deepEqual(later.mediaIds, [1, 2, 3, 4])
  })

  it('gives up a query that takes too long, and goes on', async () => {
    const { writer, release } = await heldIndex()
    const search = pooled(writer, { longest: 1_000, readers: 1 })
    const waiting = search.search(COMPANY, everything)
    await assert.rejects(waiting, SearchBusy)
    release()
    await answered(search)
  })

  it('gives up a query that has waited as long for its turn', async () => {
    const { writer, release } = await heldIndex()
    const search = pooled(writer, { longest: 1_000, readers: 1 })
    const running = search.search(COMPANY, everything)
    const waiting = assert.rejects(search.search(COMPANY, everything), SearchBusy)
    await assert.rejects(running, SearchBusy)
    release()
    await waiting
    await answered(search)
  })

  it('leaves one company a reader where the queries of another one hold all that it may have', async () => {
    const { writer, release } = await heldIndex()
    const { start } = await workplace()
    const free = start(libraryOf(3))
    const search = pooled({ upToDate: (companyId) => (companyId === COMPANY ? writer.upToDate() : free.upToDate(COMPANY)) })
    const held = Array.from({ length: 10 }, () => search.search(COMPANY, everything))
    for (let n = 0; n < 5; n++) assert.equal((await search.search(COMPANY + 1, everything)).total, 3)
    release()
    for (const one of held) assert.equal((await one).total, 3)
  })

  it('makes the folder of the indexes again where it is deleted while it is in use', async () => {
    const { start, file } = await workplace()
    const search = pooled(start(libraryOf(3)), { readers: 1 })
    assert.equal((await search.search(COMPANY, everything)).total, 3)
    await rm(dirname(file), { recursive: true })
    // One that isn't open.
    assert.equal((await search.search(COMPANY + 1, everything)).total, 0)
    await search.close()
    const another = pooled(start(libraryOf(3)), { readers: 1 })
    assert.equal((await another.search(COMPANY, everything)).total, 3)
  })

  it('asks once more where a reader crashed', async () => {
    const { writer, release } = await heldIndex()
    const search = pooled(writer, { readers: 1 })
    const found: Promise<SearchResult>[] = []
    const reader = await startedBy(READER, () => found.push(search.search(COMPANY, everything)))
    killed(reader)
    release()
    assert.equal((await found[0]!).total, 3)
  })

  it('asks for patience where readers are killed again and again, and goes on after that', async () => {
    const { writer, release } = await heldIndex()
    const search = pooled(writer, { readers: 1 })
    let outcome: unknown
    search.search(COMPANY, everything).then(
      (result) => {
        outcome = result
      },
      (error: unknown) => {
        outcome = error
      },
    )
    while (outcome === undefined) for (const reader of await childrenRunning(READER)) killed(reader)
    assert.ok(outcome instanceof SearchBusy, String(outcome))
    release()
    assert.equal((await search.search(COMPANY, everything)).total, 3)
  })

  it.each([
    ['overwritten', overwrite],
    ['emptied', (file: string) => truncate(file)],
  ])('has an index built again that was %s while it was in use', async (_, damage) => {
    const { start, file } = await workplace()
    const feed = libraryOf(2_000)
    const search = pooled(start(feed), { readers: 1 })
    assert.equal((await search.search(COMPANY, everything)).total, 2_000)
    await damage(file)
    feed.commit(COMPANY, aDocument({ mediaId: 2_001 }))
    assert.equal((await search.search(COMPANY, everything)).total, 2_001)
  })
})
