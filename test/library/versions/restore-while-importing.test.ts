import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { formerFiles } from '../../../shared/library/media/files.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { usageOfCompany } from '../../../shared/library/usage/usage.ts'
import { listFiles } from '../../../shared/library/versions/list-files.ts'
import { restoreFile } from '../../../shared/library/versions/restore-file.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { countingTable, newCount } from '../../support/counting-table.ts'
import { openImportStores } from '../../support/import-stores.ts'
import { openTestCompany, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { availableFile } from '../../support/numbers.ts'
import { quickInspection } from '../../support/quick-inspection.ts'
import { finalizeReplacement } from '../../support/replacing.ts'
import { companyWithFile, ID } from './set-up.ts'

/** A file that is imported as number 1. */
async function setUp() {
  const library = { ...(await openImportStores()), ...(await quickInspection()) }
  const { companyId, admin } = await openTestCompany(library)
  const folder = await createFolder(requestOf(library, admin), { name: 'Folder', parent: null, companyId })
  await library.uploads.put('upload/first', Buffer.from('first'), { contentType: 'application/octet-stream' })
  const importing = { state: 'importing', progress: 0, uploadKey: 'upload/first', folders: [contentsOf(folder)] } as const
  await putMedia(library.table, { mediaId: ID, companyId, uploadedBy: admin.user.userId, ...importing })
  await importMedia(library, ID)
  return {
    ...{ library, companyId },
    replace: (bytes: string) => finalizeReplacement(library, ID, Buffer.from(bytes)),
    restore: (number: number) => restoreFile(requestOf(library, admin), ID, number, {}),
    async importAll(others: Partial<typeof library> = {}) {
      while (await importMedia({ ...library, ...others }, ID)) {}
    },
    async entries(limit = 50, cursor?: string) {
      const media = await findMedia(library, ID)
      const page = await listFiles({ ...requestOf(library, admin), urls: { sign: async (key) => key } }, media, { limit, cursor })
      return { numbers: page.files.map(({ number, state, bytes }) => number ?? `${state} ${bytes}`), cursor: page.cursor }
    },
  }
}

test('who goes back while another file is imported is first, and the other one comes after it', async () => {
  const { library, companyId, replace, restore, importAll, entries } = await setUp()
  await replace('second, longer')
  await importAll()
  await replace('the third one')
  const { table } = library
  let isBack = false
  const restoring = beforeTransactions(table, async (operations) => {
    if (!('former' in operations) || isBack) return
    isBack = true
    await restore(1)
  })
  await importAll({ table: restoring as typeof table })
  assert.deepEqual((await entries()).numbers, [4, 3, 2, 1])
  const sizes = (await formerFiles(library, ID)).map(({ bytes }) => bytes)
  assert.deepEqual([(await availableFile(table, ID)).bytes, ...sizes], [13, 5, 14, 5])
  assert.deepEqual(await usageOfCompany(library, companyId), { bytes: 32, files: 1, versionBytes: 19 })
})

test('files that are being imported come first, the last one at the top, and stay in their place', async () => {
  const { replace, importAll, entries } = await setUp()
  await replace('22')
  await importAll()
  for (const bytes of ['333', '4444', '55555']) await replace(bytes)
  const first = await entries(2)
  assert.deepEqual(first.numbers, ['importing 5', 'importing 4'])
  const second = await entries(2, first.cursor)
  assert.deepEqual(second.numbers, ['importing 3', 2])
  const third = await entries(2, second.cursor)
  assert.deepEqual([third.numbers, third.cursor], [[1], undefined])
  await importAll()
  assert.deepEqual((await entries(2, second.cursor)).numbers, [1])
})

test('a page reads one number more than it shows', async () => {
  const { exchange, request, table } = await companyWithFile()
  for (let n = 2; n <= 9; n += 1) await exchange()
  const count = newCount()
  const library = { ...request, table: countingTable(table, count), urls: { sign: async (key: string) => key } }
  const { files } = await listFiles(library, await findMedia({ table }, ID), { limit: 2 })
  assert.deepEqual([files.map(({ number }) => number), count.queried], [[9, 8], 3])
})
