import assert from 'node:assert/strict'
import { describe, onTestFinished, test, vi } from 'vitest'
import { indexMedia } from '../../functions/events/index-media.ts'
import { indexChange } from '../../functions/jobs/index-change.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { ageOf, type CompanyChange, type SearchIndexer } from '../../shared/backends/search/port.ts'
import { changePointers } from '../../shared/library/media/pointers.ts'
import { batchHandler } from '../../shared/runtime/lambda.ts'
import { toContentsId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { runDueJobs } from '../support/due-jobs.ts'
import { by, openTestTable } from '../support/library.ts'
import { putFolders, putMedia } from '../support/media.ts'
import { recordOf } from '../support/stream-poller.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

const FILES = 6

/** Files that were made as they are, copied and some removed, with the changes of their records as the stream tells them. */
async function setUp() {
  const { table, clock } = openTestTable()
  await putFolders({ table, clock, by }, [1, 2, 9])
  for (let mediaId = 1; mediaId <= FILES; mediaId++) await putMedia(table, { mediaId, folders: [1], title: { en: `file ${mediaId}` } })
  const place = (mediaId: number, ...folders: number[]) =>
    changePointers({ table, clock, by }, toMediaId(mediaId), () => new Map(folders.map((folder) => [toContentsId(folder), 'full'])))
  for (const mediaId of [1, 2, 3, 4]) await place(mediaId, 1, 2)
  for (const mediaId of [2, 4]) await place(mediaId)
  await place(3, 9)
  const { changes } = await table.readChanges(undefined, 1_000)
  return {
    ...{ clock, stores: { table } },
    records: changes.map((change, n) => recordOf(change, n)),
  }
}

/** An index that keeps what is newest, and refuses some files. */
function indexInMemory(isRefused: (mediaId: number) => boolean = () => false) {
  const known = new Map<number, CompanyChange>()
  const indexer: SearchIndexer = {
    async index(changes) {
      for (const each of changes) {
        const { change } = each
        const age = known.get(change.mediaId)?.change
        if (!isRefused(change.mediaId) && (!age || ageOf(change) > ageOf(age))) known.set(change.mediaId, each)
      }
      return changes.filter(({ change }) => isRefused(change.mediaId)).map((change) => ({ ...change, reason: 'it is poison' }))
    },
  }
  /** Folders of each file that is found. */
  const found = () =>
    Object.fromEntries(
      [...known.values()].flatMap(({ change }) => ('removed' in change ? [] : [[change.mediaId, change.folders]])).sort(),
    ) as Record<string, number[]>
  return { indexer, found }
}

type Stores = Awaited<ReturnType<typeof setUp>>['stores']

function handlerOf(stores: Stores, searchIndexer: SearchIndexer) {
  return batchHandler({ ...indexMedia, name: 'index-media' }, { ...stores, searchIndexer })
}

const placed = { 1: [1, 2], 3: [9], 5: [1], 6: [1] }

describe('the search engine is told', () => {
  test('of files as they are, of removals, and of nothing else', async () => {
    const { stores, records } = await setUp()
    const { indexer, found } = indexInMemory()
    await handlerOf(stores, indexer)({ Records: records })
    assert.deepEqual(found(), placed)
  })

  test('again by jobs of those files that it refuses, and of all where it is away, until that ends', async () => {
    const sleep = vi.spyOn(systemClock, 'sleep').mockResolvedValue()
    onTestFinished(() => sleep.mockRestore())
    const { stores, records, clock } = await setUp()
    const { indexer, found } = indexInMemory((mediaId) => mediaId === refused)
    let refused: number | undefined = 3
    const away: SearchIndexer = {
      async index() {
        throw new Error('OpenSearch is away')
      },
    }
    await handlerOf(stores, away)({ Records: records.slice(0, 5) })
    await handlerOf(stores, indexer)({ Records: records.slice(5) })
    const repeat = () => runDueJobs({ table: stores.table, clock, searchIndexer: indexer }, indexChange)
    await assert.rejects(repeat(), /refuses/)
    refused = undefined
    clock.advance(3_600)
    await repeat()
    assert.deepEqual(found(), placed)
  })
})
