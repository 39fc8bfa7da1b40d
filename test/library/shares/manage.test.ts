import assert from 'node:assert/strict'
import { test } from 'vitest'
import { Conflict } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { createShare } from '../../../shared/library/shares/manage.ts'
import { listingKey } from '../../../shared/library/shares/share.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

test('a user has at most 1,000 share links in a company', async () => {
  const library = openTestTable()
  const { companyId, admin, add } = await openTestCompany(library)
  const { userId } = admin.user
  const acting = { ...requestOf(library, admin), by: { kind: 'user', userId, requestId: 'r' }, sourceAddress: '::1' } as const
  const { folderId } = await createFolder(acting, { name: 'Press', parent: null })
  const list = (owner: typeof userId, n: number) => {
    const listed = { companyId, userId: owner, shareId: String(n) }
    return library.table.put({ ...listingKey(listed), shareId: listed.shareId })
  }
  const { userId: other } = await add('other', false)
  for (let n = 0; n < 999; n++) await list(userId, n)
  await list(other, 0)
  await createShare(acting, { folderId }, {})
  const refused = createShare(acting, { folderId }, {})
  await assert.rejects(refused, (error) => error instanceof Conflict && error.code === 'too_many_shares')
})
