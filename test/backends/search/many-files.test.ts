import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { catchUp } from '../../../shared/backends/search/catch-up.ts'
import { IndexFile } from '../../../shared/backends/search/index-file.ts'
import { MemoryFeed } from './memory-feed.ts'
import { COMPANY, libraryOf, workplace } from './workplace.ts'

const FILES = 10_000

/** Pieces of a full-text table. */
const pieces = (index: IndexFile, table: string): number => index.value(`SELECT count(DISTINCT segid) FROM ${table}_idx`)

describe('embedded search: an index of many files', () => {
  it('ends in one piece and without free pages, also where it was interrupted', async () => {
    const { file } = await workplace()
    const index = new IndexFile(file)
    onTestFinished(() => index.close())
    const feed = libraryOf(FILES, new MemoryFeed({ page: FILES }))
    const interruption = new AbortController()
    const interrupted = catchUp(COMPANY, index, feed, { signal: interruption.signal })
    const indexed = () => index.value('SELECT count(*) FROM doc')
    while (indexed() === 0) await new Promise(setImmediate)
    interruption.abort()
    await assert.rejects(interrupted, { name: 'AbortError' })
    const before = indexed()
    assert.ok(before > 0 && before < FILES, `${before} files were indexed`)

    await catchUp(COMPANY, index, feed, { signal: AbortSignal.timeout(300_000) })
    assert.equal(indexed(), FILES)
    assert.deepEqual([pieces(index, 'texts'), pieces(index, 'terms')], [1, 1])
    assert.equal(index.value('PRAGMA freelist_count'), 0)
  })
})
