import assert from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import { IndexFile } from '../../../shared/backends/search/index-file.ts'
import { answer } from '../../../shared/backends/search/query.ts'
import { aDocument, MemoryFeed } from './memory-feed.ts'
import { COMPANY, everything, libraryOf, workplace } from './workplace.ts'

function reader(path: string): IndexFile {
  const index = IndexFile.readOnly(path)
  onTestFinished(() => index.close())
  return index
}

test('a reader sees every change that the engine took before the query, in counts of folders too', async () => {
  const { start } = await workplace()
  const feed = new MemoryFeed()
  const engine = start(feed)
  const few = [11]
  const many = Array.from({ length: 600 }, (_, n) => n + 11)
  const index = reader((await engine.upToDate(COMPANY)).path)
  for (let mediaId = 1; mediaId <= 5; mediaId++) {
    feed.commit(COMPANY, aDocument({ mediaId, folders: [11] }))
    await engine.upToDate(COMPANY)
    for (const only of [few, many]) assert.equal(answer(index, { ...everything, scope: { only } }).total, mediaId)
  }
  feed.commit(COMPANY, aDocument({ mediaId: 1, revision: 2, folders: [5] }))
  await engine.upToDate(COMPANY)
  for (const except of [few, many]) assert.deepEqual(answer(index, { ...everything, scope: { except } }), { total: 1, mediaIds: [1] })
})

test('a reader writes nothing into the file', async () => {
  const { start } = await workplace()
  const index = reader((await start(libraryOf(3)).upToDate(COMPANY)).path)
  assert.throws(() => index.run('DELETE FROM doc'), /readonly/)
})

test('a reader reads a file that nobody has open any more', async () => {
  const { start } = await workplace()
  const engine = start(libraryOf(3))
  const { path } = await engine.upToDate(COMPANY)
  await engine.close()
  assert.equal(answer(reader(path), everything).total, 3)
})

test('a file that a reader finds damaged is built again, as another edition', async () => {
  const { start } = await workplace()
  const engine = start(libraryOf(3))
  const first = await engine.upToDate(COMPANY)
  assert.deepEqual(await engine.upToDate(COMPANY), first)
  const second = await engine.upToDate(COMPANY, first.edition)
  assert.notEqual(second.edition, first.edition)
  assert.deepEqual(await engine.upToDate(COMPANY, first.edition), second)
  assert.equal(answer(reader(second.path), everything).total, 3)
})

test('a damaged file is built again also by an engine that has not used it yet', async () => {
  const { start } = await workplace()
  const feed = libraryOf(3)
  const before = start(feed)
  const { edition } = await before.upToDate(COMPANY)
  await before.close()
  assert.notEqual((await start(feed).upToDate(COMPANY, edition)).edition, edition)
})
