import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { findByChecksum } from '../../../shared/library/media/checksums.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

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
})
