import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Item, Table } from '../../../shared/backends/table/port.ts'
import type { BulkChange } from '../../../shared/library/bulk/bulk.ts'
import { requestBulk, requestUndo } from '../../../shared/library/bulk/request.ts'
import { runBulk } from '../../../shared/library/bulk/run.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { entriesOf } from '../../../shared/library/history/entries.ts'
import { revertStep } from '../../../shared/library/history/revert.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { type AvailableMedia, editable } from '../../../shared/library/media/media.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { removeRemains } from '../../../shared/library/media/remains.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { restoreFile } from '../../../shared/library/versions/restore-file.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { randomNumbers } from '../../support/damaged-file.ts'
import { exchangeFile } from '../../support/exchanged.ts'
import { Faults } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { openTestCompany, openTestObjects, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { watchedSteps } from '../../support/watched-steps.ts'

const IDS = [1, 2, 3].map(toMediaId)
const FILE = IDS[0]!

async function setUp() {
  const library = openTestTable()
  const { companyId, admin } = await openTestCompany(library)
  const [folder, other] = await Promise.all(
    ['Folder', 'Other'].map((name) => createFolder(requestOf(library, admin), { name, parent: null, companyId })),
  )
  for (const mediaId of IDS) await putMedia(library.table, { mediaId, companyId, folders: [contentsOf(folder!)] })
  const { table, steps } = watchedSteps(library.table)
  const by = { kind: 'user', userId: admin.user.userId, requestId: 'request' } as const
  const asking = { ...requestOf({ ...library, table }, admin), by }
  /** Runs a bulk change to its end. Each run may end at any call. */
  const run = async (bulkId: string, faulty: (table: Table) => Table = (each) => each) => {
    const noting = () => ({ put: { pk: 'NOTED', sk: 'NOTED' } })
    return runBulk({ ...library, table: faulty(table) }, bulkId, { cursor: 0, noting }, () => false)
  }
  const entries = async (mediaId = FILE) => Array.fromAsync(entriesOf(library, (await findMedia(library, mediaId)) as AvailableMedia))
  return { library: { ...library, table }, asking, run, steps, entries, other: other!.folderId, read: () => findMedia(library, FILE) }
}

/** Each entry begins where the one before it ended. */
function assertWhole(told: Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['entries']>>, now: AvailableMedia) {
  const afters = told.map(({ after }) => editable(after))
  assert.deepEqual(
    afters.slice(1),
    told.slice(0, -1).map(({ before }) => editable(before)),
  )
  assert.deepEqual(afters[0], editable(now))
  assert.ok(told.every(({ changed }) => changed.length > 0))
}

describe('steps of histories', () => {
  test('all have the state before them: edits, exchanges, bulk changes, undos, restores and reverts in any order', async () => {
    const { library, asking, run, steps, entries, other, read } = await setUp()
    const below = randomNumbers(47)
    const bulkIds: string[] = []
    const bulk = async (change: BulkChange) => {
      const { bulkId } = await requestBulk(asking, IDS, change)
      await run(bulkId)
      bulkIds.push(bulkId)
    }
    const acts = [
      () => editMetadata(library, [FILE], () => ({ byline: below(2) === 0 ? null : `${below(3)}` })),
      () => editMetadata(library, IDS, () => ({ title: { en: `${below(3)}` }, editorial: below(2) === 0 })),
      () => exchangeFile(library, FILE),
      () => bulk({ copyright: `${below(3)}`, keywords: { en: { add: [`${below(5)}`] } }, folders: { kind: 'add', to: other } }),
      () => bulk({ focalPoint: below(2) === 0 ? null : { x: 0.5, y: below(2) } }),
      async () => {
        const bulkId = bulkIds.pop()
        if (bulkId !== undefined) await run((await requestUndo(asking, bulkId)).bulkId)
      },
      async () => {
        const { fileNumber = 1 } = await read()
        if (fileNumber > 1) await restoreFile(asking, FILE, fileNumber - 1, {})
      },
      async () => {
        const [, entry] = await entries()
        if (entry?.kind === 'metadata') await revertStep(asking, FILE, entry.version, { force: true })
      },
    ]
    for (let n = 0; n < 120; n += 1) await acts[below(acts.length)]!()
    assert.ok(steps() > 100, String(steps()))
    for (const mediaId of IDS) {
      const told = await entries(mediaId)
      assert.ok(told.length > 20)
      assertWhole(told, (await findMedia(library, mediaId)) as AvailableMedia)
    }
  })

  test('leave nothing of a file that is purged before they commit', async () => {
    type World = Awaited<ReturnType<typeof setUp>>
    const acts: ((world: World, table: Table) => Promise<unknown>)[] = [
      ({ library }, table) => editMetadata({ ...library, table }, [FILE], () => ({ byline: 'Anna' })),
      ({ asking }, table) => restoreFile({ ...asking, table }, FILE, 1, {}),
      async ({ asking, run }, table) => run((await requestBulk(asking, IDS, { byline: 'Anna' })).bulkId, () => table),
    ]
    for (const act of acts) {
      const world = await setUp()
      const { library } = world
      await exchangeFile(library, FILE)
      let isPurged = false
      const put: Table['put'] = async (...item) => {
        if (!isPurged) {
          isPurged = true
          await changePointers(library, FILE, () => new Map())
          await removeRemains({ ...library, uploads: openTestObjects() }, FILE)
        }
        return library.table.put(...item)
      }
      await act(world, instead(library.table, { put })).catch((error: unknown) => assert.ok(error instanceof NotFound, String(error)))
      const { items } = await library.table.query<Item>({ pk: mediaKey(FILE).pk })
      assert.deepEqual([items.map(({ sk }) => sk), isPurged], [['TOMBSTONE'], true], String(act))
    }
  })

  test('of a bulk change are there once, wherever its process ends', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let failing = 1, hasFailed = true; hasFailed; failing += 1) {
        const { asking, run, entries } = await setUp()
        const { bulkId } = await requestBulk(asking, IDS, { byline: 'Anna' })
        const faults = new Faults(failing, when)
        await run(bulkId, (table) => faults.in(table)).catch(() => undefined)
        hasFailed = faults.hasFailed
        await run(bulkId)
        for (const mediaId of IDS)
          assert.deepEqual(
            (await entries(mediaId)).map(({ version, changed }) => [version, changed]),
            [[2, ['byline']]],
          )
      }
    }
  })
})
