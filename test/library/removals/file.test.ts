import assert from 'node:assert/strict'
import { test } from 'vitest'
import { removeFiles } from '../../../functions/jobs/remove-files.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { jobsIn } from '../../../shared/library/jobs/in-state.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { changePointers, removePointers } from '../../../shared/library/media/pointers.ts'
import { fileRemovalJob, type RemovedFile } from '../../../shared/library/media/remove-files.ts'
import { removeStoredFiles } from '../../../shared/library/removals/file.ts'
import { toContentsId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { cutOffAfter } from '../../support/cut-off.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { COMPANY, putFolders, putMedia } from '../../support/media.ts'

const IDS = [1, 2, 3].map(toMediaId)
const FOLDER = toContentsId(1)

/** Three files with all their objects. */
async function setUp() {
  const stores = await openImportStores()
  const { table, media, uploads, by, clock } = stores
  const library = { table, clock, by }
  await putFolders(library, [1, 2])
  for (const mediaId of IDS) {
    await putMedia(table, { mediaId, folders: [1] })
    for (const name of ['original', 'tags.json', 'renditions/100x100'])
      await media.put(`${objectKeys.prefix({ companyId: COMPANY, mediaId })}${name}`, Buffer.from('x'), { contentType: 'text/plain' })
    await uploads.put(`upload/${mediaId}`, Buffer.from('x'), { contentType: 'text/plain' })
  }
  return {
    ...{ ...stores, library },
    remove: (mediaId: (typeof IDS)[number]) => changePointers(library, mediaId, () => new Map()),
    jobs: async () => Array.fromAsync(jobsIn({ table }, 'waiting', [fileRemovalJob.name])),
    run: () => runDueJobs({ table, clock, media, uploads } as { table: Table; clock: typeof clock }, removeFiles),
    stored: async () => [...(await media.list('')).objects, ...(await uploads.list('')).objects].map(({ key }) => key),
  }
}

test('what is stored of a file goes by a job that the last of its pointers asks for, and nothing else does', async () => {
  const { library, remove, jobs, run, stored } = await setUp()
  await changePointers(library, IDS[0]!, () => new Map([[toContentsId(2), 'full']]))
  assert.deepEqual(await jobs(), [])
  await remove(IDS[0]!)
  assert.deepEqual(
    (await jobs()).map(({ companyId }) => companyId),
    [COMPANY],
  )
  const before = await stored()
  await run()
  const prefix = objectKeys.prefix({ companyId: COMPANY, mediaId: IDS[0]! })
  assert.deepEqual(
    await stored(),
    before.filter((key) => !key.startsWith(prefix) && key !== 'upload/1'),
  )
})

test('files that are deleted together share a job', async () => {
  const { library, jobs, run, stored } = await setUp()
  await removePointers(library, IDS, FOLDER)
  assert.equal((await jobs()).length, 1)
  await run()
  assert.deepEqual(await stored(), [])
})

test('a run that ends anywhere, or comes twice, leaves nothing behind', async () => {
  for (let calls = 0; ; calls++) {
    const { library, table, media, uploads, jobs, run, stored } = await setUp()
    await removePointers(library, IDS, FOLDER)
    const [{ input }] = (await jobs()) as unknown as [{ input: { files: RemovedFile[] } }]
    const cut = { table: cutOffAfter(calls, table), media: cutOffAfter(calls, media), uploads }
    const isCut = await removeStoredFiles(cut, COMPANY, input.files).then(
      () => false,
      () => true,
    )
    await run()
    await removeStoredFiles({ table, media, uploads }, COMPANY, input.files)
    assert.deepEqual(await stored(), [])
    if (!isCut) break
  }
})
