import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { IndexBehind } from '../../../shared/backends/search/port.ts'
import { repairSearchIndex, verifySearchIndex } from '../../../shared/library/search/verify-index.ts'
import { COMPANY } from '../../support/media.ts'
import { aDocument } from './memory-feed.ts'
import { all, FILES, setUp } from './opensearch-workplace.ts'

const silently = () => {}

describe('an index that is rebuilt', () => {
  test('has every file of the table; before the first there is nothing to search and nothing to write into', async () => {
    const { admin, scan, found, put, indexes } = await setUp()
    await assert.rejects(found(), IndexBehind)
    assert.deepEqual(await admin.index([{ companyId: COMPANY, change: aDocument({ mediaId: 1 }) }]), [])
    const told: number[] = []
    assert.deepEqual(await admin.rebuild(scan, (files) => told.push(files)), { files: FILES, refused: [] })
    assert.equal(told.at(-1), FILES)
    assert.deepEqual(await found(), all)
    const [first] = await indexes()
    await put(100)
    await admin.rebuild(scan, silently)
    assert.deepEqual(await found(), [...all, 100])
    const [second, ...others] = await indexes()
    assert.notEqual(second, first)
    assert.deepEqual(others, [])
  })

  test('is found whole all the time, and has what changes meanwhile', async () => {
    const { admin, scan, found, put } = await setUp()
    await admin.rebuild(scan, silently)
    let pages = 0
    const changing = async (cursor: string | undefined) => {
      const page = await scan(cursor)
      if (++pages === 2) {
        assert.deepEqual(await found(), all)
        // A file that is changed, one that is removed, and one that is new, wherever the reading is.
        await put(3, 2, 'changed')
        await admin.index([
          { companyId: COMPANY, change: aDocument({ mediaId: 3, revision: 2, title: 'changed', created: 3 }) },
          { companyId: COMPANY, change: { mediaId: 4, revision: 2, removed: true } },
          { companyId: COMPANY, change: aDocument({ mediaId: 500, title: 'new', created: 500 }) },
        ])
        assert.deepEqual(await found(), [...all.filter((id) => id !== 4), 500])
      }
      return page
    }
    await admin.rebuild(changing, silently)
    assert.deepEqual(await found(), [...all.filter((id) => id !== 4), 500])
    assert.deepEqual(await found({ terms: [{ words: ['changed'], matching: 'word', excluded: false }] }), [3])
  })
})

test('without an index there is nothing to compare, which is said', async () => {
  const { table, admin } = await setUp()
  await assert.rejects(verifySearchIndex({ table, clock: systemClock, scanner: table, index: admin }, 0), /There is no search index yet/)
})

test('what differs from the table is found and, where the table knows better, repaired', async () => {
  const { table, admin, scan, found, put, refresh } = await setUp()
  await admin.rebuild(scan, silently)
  await refresh()
  const library = { table, clock: systemClock, scanner: table, index: admin }
  assert.deepEqual(await verifySearchIndex(library, 0), { files: FILES, differences: [] })

  await put(700)
  await put(8, 5, 'edited')
  await admin.index([
    { companyId: COMPANY, change: aDocument({ mediaId: 900 }) },
    { companyId: 3, change: aDocument({ mediaId: 9 }) },
    { companyId: COMPANY, change: aDocument({ mediaId: 10, revision: 99 }) },
    { companyId: COMPANY, change: { mediaId: 11, revision: 99, removed: true } },
    { companyId: COMPANY, change: { mediaId: 901, revision: 1, removed: true } },
  ])
  await refresh()
  const { differences } = await verifySearchIndex(library, 0)
  const byId = differences.toSorted((a, b) => a.mediaId - b.mediaId)
  assert.deepEqual(byId, [
    { companyId: COMPANY, mediaId: 8, problem: 'outdated' },
    { companyId: 3, mediaId: 9, problem: 'left over' },
    { companyId: COMPANY, mediaId: 10, problem: 'ahead' },
    { companyId: COMPANY, mediaId: 11, problem: 'ahead' },
    { companyId: COMPANY, mediaId: 700, problem: 'missing' },
    { companyId: COMPANY, mediaId: 900, problem: 'left over' },
  ])
  const ahead = byId.filter(({ problem }) => problem === 'ahead')
  assert.deepEqual(await repairSearchIndex(library, byId), ahead)
  await refresh()
  assert.deepEqual((await verifySearchIndex(library, 0)).differences, ahead)
  assert.deepEqual(await found({ terms: [{ words: ['edited'], matching: 'word', excluded: false }] }), [8])
})
