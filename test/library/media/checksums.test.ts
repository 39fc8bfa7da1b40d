import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, onTestFinished, test } from 'vitest'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { findByChecksum } from '../../../shared/library/media/checksums.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { by, openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { TestClock } from '../../support/test-clock.ts'

const md5 = (number: number) => number.toString(16).padStart(32, '0')

describe('findByChecksum', () => {
  async function setUp() {
    const library = openTestTable()
    const company = await openTestCompany(library)
    const admin = requestOf(library, company.admin)
    const { folderId: folder } = await createFolder(admin, { name: 'Folder', parent: null, companyId: company.companyId })
    const put = (mediaId: number, given: Partial<Parameters<typeof putMedia>[1]> = {}) =>
      putMedia(library.table, { mediaId, companyId: company.companyId, folders: [folder], ...given })
    return { library, company, put, folder, admin: requestOf(library, company.admin), user: requestOf(library, company.user) }
  }

  test('finds a readable file behind many that are not', async () => {
    const { library, company, put, admin, user, folder } = await setUp()
    const { folderId: readable } = await createFolder(admin, { name: 'Readable', parent: null, companyId: company.companyId })
    await setGrants(library, readable, company.user.user.userId, () => ['READ'])
    for (let id = 1; id <= 250; id++) await put(id, { md5: md5(1), folders: [folder] })
    await put(251, { md5: md5(1), folders: [readable] })
    assert.deepEqual(await findByChecksum(requestOf(user, company.user), [md5(1)]), new Map([[md5(1), [251]]]))
  })

  test('finds files of a table that knew no checksums', async () => {
    const path = join(temporaryDirectory(), 'table.sqlite')
    const clock = new TestClock()
    const before = openEmbeddedTable(path)
    const { companyId, admin } = await openTestCompany({ table: before, clock, by })
    const { folderId } = await createFolder(requestOf({ table: before, clock, by }, admin), { name: 'Folder', parent: null, companyId })
    await putMedia(before, { mediaId: 1, companyId, folders: [folderId], md5: md5(1) })
    await putMedia(before, { mediaId: 2, companyId, folders: [folderId] })
    before.close()
    const database = new DatabaseSync(path)
    database.exec(`DROP INDEX checksums; ALTER TABLE items DROP COLUMN md5;
      UPDATE items SET body = json_set(body, '$.md5', '') WHERE pk = 'MEDIA#2' AND sk = 'MEDIA'`)
    database.close()

    const table = openEmbeddedTable(path)
    onTestFinished(() => table.close())
    const request = requestOf({ table, clock, by }, admin)
    assert.deepEqual(await findByChecksum(request, [md5(1)]), new Map([[md5(1), [1]]]))
    await editMetadata(request, [toMediaId(2)], () => ({ title: { en: 'An item without a file' } }))
    const edited = await getMedia(request, toMediaId(2))
    assert.deepEqual([edited?.title, edited && 'md5' in edited], [{ en: 'An item without a file' }, false])
  })
})
