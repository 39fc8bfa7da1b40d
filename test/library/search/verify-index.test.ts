import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ageOf, type CompanyChange, type IndexedFile, type SearchIndexAdmin } from '../../../shared/backends/search/port.ts'
import { scanSearchChanges } from '../../../shared/library/media/search-feed.ts'
import { repairSearchIndex, verifySearchIndex } from '../../../shared/library/search/verify-index.ts'
import { openTestTable } from '../../support/library.ts'
import { COMPANY, putMedia } from '../../support/media.ts'

/** An index that is told of changes when a test says so. */
class LateIndex implements Pick<SearchIndexAdmin, 'index' | 'find' | 'list'> {
  readonly #files = new Map<number, IndexedFile>()

  async index(changes: readonly CompanyChange[]) {
    for (const { companyId, change } of changes) {
      const { mediaId } = change
      const age = ageOf(change)
      if (age > (this.#files.get(mediaId)?.age ?? 0)) this.#files.set(mediaId, { companyId, mediaId, age, removed: 'removed' in change })
    }
    return []
  }

  async find(files: readonly { mediaId: number }[]) {
    return files.flatMap(({ mediaId }) => this.#files.get(mediaId) ?? [])
  }

  async list(after?: { mediaId: number }) {
    return after ? [] : [...this.#files.values()].filter(({ removed }) => !removed)
  }
}

/** A library of two files, both indexed. @param meanwhile happens between the two looks at what differs, right before the second */
async function setUp(meanwhile: (put: (mediaId: number, revision: number) => Promise<unknown>) => Promise<unknown> = async () => {}) {
  const { table, clock } = openTestTable()
  const put = (mediaId: number, revision: number) => putMedia(table, { mediaId, revision })
  for (const mediaId of [1, 2]) await put(mediaId, 1)
  const late = new LateIndex()
  await late.index((await scanSearchChanges({ scanner: table }, undefined)).changes)
  let looks = 0
  const index: SearchIndexAdmin = {
    index: (changes) => late.index(changes),
    list: (after) => late.list(after),
    async find(files) {
      if (++looks === 2) await meanwhile(put)
      return late.find(files)
    },
    rebuild: () => assert.fail('nothing is rebuilt'),
  }
  return { library: { table, clock, scanner: table, index }, put, late }
}

describe('an index that follows the table is no difference', () => {
  test('where a file changes again between the looks', async () => {
    const { library, put, late } = await setUp(async () => {
      await late.index((await scanSearchChanges({ scanner: library.table }, undefined)).changes)
      await put(2, 3)
    })
    await put(2, 2)
    assert.deepEqual(await verifySearchIndex(library, 0), { files: 2, differences: [] })
  })
})

test('what the index did not follow is a difference, also where the file has changed again', async () => {
  const { library, put } = await setUp((again) => again(2, 3))
  await put(2, 2)
  const { differences } = await verifySearchIndex(library, 0)
  assert.deepEqual(differences, [{ companyId: COMPANY, mediaId: 2, problem: 'outdated' }])
  assert.deepEqual(await repairSearchIndex(library, differences), [])
  assert.deepEqual(await verifySearchIndex(library, 0), { files: 2, differences: [] })
})

test('a removal that is newer than the file is ahead of the table, and stays', async () => {
  const { library, late } = await setUp()
  await late.index([{ companyId: COMPANY, change: { mediaId: 1, revision: 7, removed: true } }])
  const { differences } = await verifySearchIndex(library, 0)
  assert.deepEqual(differences, [{ companyId: COMPANY, mediaId: 1, problem: 'ahead' }])
  assert.deepEqual(await repairSearchIndex(library, differences), differences)
})

test('a file that the table does not have is left over, and taken out', async () => {
  const { library, late } = await setUp()
  await late.index([
    { companyId: COMPANY, change: { ...(await scanSearchChanges({ scanner: library.table }, undefined)).changes[0]!.change, mediaId: 3 } },
  ])
  const { differences } = await verifySearchIndex(library, 0)
  assert.deepEqual(differences, [{ companyId: COMPANY, mediaId: 3, problem: 'left over' }])
  assert.deepEqual(await repairSearchIndex(library, differences), [])
  assert.deepEqual(await verifySearchIndex(library, 0), { files: 2, differences: [] })
})
