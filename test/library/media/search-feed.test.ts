import assert from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import { embeddedSearch } from '../../../shared/backends/search/embedded.ts'
import { type DocumentFeed, PositionForgotten } from '../../../shared/backends/search/port.ts'
import { feedPosition } from '../../../shared/library/media/change-feed.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { documentFeed } from '../../../shared/library/media/search-feed.ts'
import { toCompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { by, openTestTable } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { puts } from '../../support/puts.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const COMPANY = 1
const DAY = 86_400

/** A table with files, and an engine on its feed. */
async function setUp() {
  const { table, clock } = openTestTable()
  const directory = temporaryDirectory()
  let builds = 0
  const feed: DocumentFeed = {
    documents: documentFeed({ table, clock }).documents,
    async changes(companyId, position) {
      if (position === undefined) builds++
      return documentFeed({ table, clock }).changes(companyId, position)
    },
  }
  const engine = embeddedSearch({ directory, feed })
  onTestFinished(() => engine.close())
  const add = (mediaId: number) => putMedia(table, { mediaId, companyId: COMPANY, folders: [1], modified: clock.now() })
  for (const mediaId of [1, 2, 3]) await add(mediaId)
  return {
    clock,
    add,
    remove: (mediaId: number) => changePointers({ table, clock, by }, toMediaId(mediaId), () => new Map()),
    /** As on a server that runs all the time: the table forgets removed files when their time is over. */
    async pass(days: number) {
      clock.advance(days * DAY)
      await table.expire(clock.now())
    },
    async found() {
      const all = { terms: [], scope: { except: [] }, order: 'created', direction: 'asc', limit: 10, offset: 0 } as const
      return (await engine.search(COMPANY, { ...all, terms: [] })).mediaIds
    },
    builds: () => builds,
  }
}

for (const days of [89, 91, 1_000]) {
  test(`a file that was removed is not found ${days} days later, though nobody searched meanwhile`, async () => {
    const { found, remove, pass } = await setUp()
    assert.deepEqual(await found(), [1, 2, 3])
    await remove(2)
    await pass(days)
    assert.deepEqual(await found(), [1, 3])
    assert.deepEqual(await found(), [1, 3])
  })
}

test('an index that is used is never built anew, however little changes', async () => {
  const { found, pass, add, remove, builds } = await setUp()
  await found()
  for (let round = 0; round < 40; round++) {
    await pass(10)
    assert.deepEqual(await found(), [1, 2, 3])
  }
  await add(4)
  await remove(1)
  await pass(80)
  assert.deepEqual(await found(), [2, 3, 4])
  assert.equal(builds(), 1)
})

test('a reader that takes longer than removals are known to get through begins anew', async () => {
  const { table, clock } = openTestTable()
  const changes = Array.from({ length: 5_000 }, (_, n) => ({
    pk: `MEDIA#${n}`,
    sk: 'MEDIA',
    ...feedPosition({ companyId: toCompanyId(COMPANY), mediaId: toMediaId(n) }, n),
  }))
  for (let from = 0; from < changes.length; from += 100) await table.transact(puts(changes.slice(from, from + 100)))
  const feed = documentFeed({ table, clock })
  const first = await feed.changes(COMPANY, undefined)
  clock.advance(50 * DAY)
  const second = await feed.changes(COMPANY, first.position)
  assert.deepEqual([first.more, second.more], [true, true])
  clock.advance(50 * DAY)
  await assert.rejects(feed.changes(COMPANY, second.position), PositionForgotten)
})
