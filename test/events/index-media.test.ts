import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { indexMedia } from '../../functions/events/index-media.ts'
import { type Objects, ObjectsUnavailable } from '../../shared/backends/objects/port.ts'
import { ageOf, type CompanyChange, type SearchIndexer } from '../../shared/backends/search/port.ts'
import { objectKeys } from '../../shared/library/media/objects.ts'
import { changePointers } from '../../shared/library/media/pointers.ts'
import type { Backend } from '../../shared/resources.ts'
import { batchHandler } from '../../shared/runtime/lambda.ts'
import { toContentsId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { openImportStores } from '../support/import-stores.ts'
import { by } from '../support/library.ts'
import { COMPANY, putFolders, putMedia } from '../support/media.ts'
import { pollStream, recordOf } from '../support/stream-poller.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

const FILES = 6

const originalOf = (mediaId: number) => objectKeys.original({ companyId: COMPANY, mediaId: toMediaId(mediaId) })

/** Files that were made as they are, copied and some removed, with the changes of their records as the stream tells them. */
async function setUp() {
  const { table, clock, media, uploads } = await openImportStores()
  await putFolders({ table, clock, by }, [1, 2, 9])
  for (let mediaId = 1; mediaId <= FILES; mediaId++) await putMedia(table, { mediaId, folders: [1], title: { en: `file ${mediaId}` } })
  const place = (mediaId: number, ...folders: number[]) =>
    changePointers({ table, clock, by }, toMediaId(mediaId), () => new Map(folders.map((folder) => [toContentsId(folder), 'full'])))
  for (const mediaId of [1, 2, 3, 4]) await place(mediaId, 1, 2)
  for (const mediaId of [2, 4]) await place(mediaId)
  await place(3, 9)
  const { changes } = await table.readChanges(undefined, 1_000)
  for (let mediaId = 1; mediaId <= FILES; mediaId++)
    await media.put(originalOf(mediaId), Buffer.from('bytes'), { contentType: 'text/plain' })
  return {
    stores: { table, media: media as Objects, uploads: uploads as unknown as Backend['uploads'] },
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

/** Ids of files whose originals are stored. */
async function stored({ media }: Pick<Stores, 'media'>): Promise<number[]> {
  const ids = Array.from({ length: FILES }, (_, n) => n + 1)
  const there = await Promise.all(ids.map((id) => media.head(originalOf(id))))
  return ids.filter((_, n) => there[n])
}

const placed = { 1: [1, 2], 3: [9], 5: [1], 6: [1] }

describe('the search engine is told', () => {
  test('of files as they are, of removals, and of nothing else', async () => {
    const { stores, records } = await setUp()
    const { indexer, found } = indexInMemory()
    assert.deepEqual(await handlerOf(stores, indexer)({ Records: records }), { batchItemFailures: [] })
    assert.deepEqual(found(), placed)
  })

  test('of all files but one that it refuses: the changes of that one alone become dead letters', async () => {
    const { stores, records } = await setUp()
    for (const poison of [1, 3, 4]) {
      const { indexer, found } = indexInMemory((mediaId) => mediaId === poison)
      const dropped = await pollStream(records, handlerOf(stores, indexer), { MaximumRetryAttempts: 10 })
      const { [poison as 1]: _, ...others } = placed
      assert.deepEqual(found(), others)
      assert.ok(dropped.length > 0)
      for (const batch of dropped) {
        assert.equal(batch.length, 1)
        assert.equal(batch[0]!.dynamodb!.Keys!.pk!.S, `MEDIA#${poison}`)
      }
    }
  })
})

describe('what is stored of removed files', () => {
  test('goes, also while the search engine is away', async () => {
    const { stores, records } = await setUp()
    const away: SearchIndexer = {
      async index() {
        throw new Error('OpenSearch is away')
      },
    }
    await assert.rejects(handlerOf(stores, away)({ Records: records }))
    assert.deepEqual(await stored(stores), [1, 3, 5, 6])
  })

  test('is tried again where storage refuses, while all files are indexed', async () => {
    const { stores, records } = await setUp()
    const { indexer, found } = indexInMemory()
    let refusals = 3
    const remove = stores.media.delete.bind(stores.media)
    stores.media.delete = async (keys) => {
      if (refusals-- > 0) throw new ObjectsUnavailable('storage is away')
      await remove(keys)
    }
    assert.deepEqual(await pollStream(records, handlerOf(stores, indexer), { MaximumRetryAttempts: 10 }), [])
    assert.deepEqual(found(), placed)
    assert.deepEqual(await stored(stores), [1, 3, 5, 6])
  })
})
