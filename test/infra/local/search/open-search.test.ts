import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, onTestFinished, vi } from 'vitest'
import { openSearch } from '../../../../infra/local/search/open-search.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { INDEX_FILES, IndexFile } from '../../../../shared/backends/search/index-file.ts'
import { IndexBehind, type SearchEngine } from '../../../../shared/backends/search/port.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import type { Table } from '../../../../shared/backends/table/port.ts'
import { everything } from '../../../backends/search/contract-library.ts'
import { COMPANY, putMedia } from '../../../support/media.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { childrenRunning, killed } from './children.ts'

const WRITER = 'writer-process.ts'
const READER = 'reader-process.ts'

/** A table, and the search engine on it. */
async function workplace({ clock = systemClock, mergeAfter = 30_000 } = {}) {
  const directory = temporaryDirectory()
  const file = join(directory, 'table.db')
  const table = openEmbeddedTable(file)
  const index = join(directory, 'search')
  const engine = openSearch({ directory: index, table: file }, { table, clock, mergeAfter })
  onTestFinished(async () => {
    await engine.close()
    table.close()
  })
  const put = (into: Table, mediaId: number) => putMedia(into, { mediaId, created: mediaId, modified: clock.now() })
  return { table, file, engine, index, put }
}

/** Names the data folder of a test's writer among the processes of all tests. */
const writerOf = async (index: string) => childrenRunning(`${WRITER} {"directory":"${index}"`)

const idsIn = async (engine: SearchEngine) => (await engine.search(COMPANY, everything)).mediaIds

describe('the search engine of one machine', () => {
  it('finds everything that was committed before, by this process or another', async () => {
    const { table, file, engine, put } = await workplace()
    const other = openEmbeddedTable(file)
    onTestFinished(() => other.close())
    assert.deepEqual(await idsIn(engine), [])
    for (let mediaId = 1; mediaId <= 6; mediaId += 2) {
      await put(table, mediaId)
      assert.equal((await idsIn(engine)).at(-1), mediaId)
      await put(other, mediaId + 1)
      assert.equal((await idsIn(engine)).at(-1), mediaId + 1)
    }
  })

  it('merges its index when nobody searches', async () => {
    const { table, engine, index, put } = await workplace({ mergeAfter: 100 })
    for (let mediaId = 1; mediaId <= 4; mediaId++) {
      await put(table, mediaId)
      await idsIn(engine)
    }
    const file = IndexFile.readOnly(join(index, `${COMPANY}.sqlite`))
    onTestFinished(() => file.close())
    const isMerged = () => file.value('SELECT count(DISTINCT segid) FROM terms_idx') <= 1
    // A merge of an earlier pause may hold up the last one, which then comes in the pause after the next search.
    const mergedOrAsked = async () => {
      if (!isMerged()) await idsIn(engine)
      return isMerged()
    }
    await vi.waitUntil(mergedOrAsked, { timeout: 120_000, interval: 500 })
    assert.deepEqual(await idsIn(engine), [1, 2, 3, 4])
  })

  it('goes on where its writer was killed, once or while it was asked', async () => {
    const { table, engine, index, put } = await workplace()
    for (let mediaId = 1; mediaId <= 6; mediaId += 2) {
      await put(table, mediaId)
      assert.equal((await idsIn(engine)).at(-1), mediaId)
      const [writer] = await writerOf(index)
      await put(table, mediaId + 1)
      const after = idsIn(engine)
      killed(writer!)
      assert.equal((await after).at(-1), mediaId + 1)
    }
  })

  it('asks for patience where its writer is killed again and again, and goes on after that', async () => {
    const { table, engine, index, put } = await workplace()
    await put(table, 1)
    const searching = idsIn(engine).then(
      () => 'found',
      (error: unknown) => error,
    )
    let outcome: unknown
    const settled = searching.then((result) => {
      outcome = result
    })
    while (outcome === undefined) for (const writer of await writerOf(index)) killed(writer)
    await settled
    assert.ok(outcome instanceof IndexBehind, String(outcome))
    assert.deepEqual(await idsIn(engine), [1])
  })

  for (const suffix of INDEX_FILES) {
    for (const program of [WRITER, READER]) {
      it(`finds everything where <company>.sqlite${suffix} is deleted and ${program} starts anew`, async () => {
        const { table, engine, index, put } = await workplace()
        await put(table, 1)
        assert.deepEqual(await idsIn(engine), [1])
        await rm(join(index, `${COMPANY}.sqlite${suffix}`))
        for (const started of await (program === WRITER ? writerOf(index) : childrenRunning(READER))) killed(started)
        // Several, so that each process has its turn.
        for (let mediaId = 2; mediaId < 10; mediaId++) {
          await put(table, mediaId)
          const found = await Promise.all([idsIn(engine), idsIn(engine), idsIn(engine)])
          for (const ids of found)
            assert.deepEqual(
              ids,
              Array.from({ length: mediaId }, (_, n) => n + 1),
            )
        }
      })
    }
  }
})
