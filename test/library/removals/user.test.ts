import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { disableUser } from '../../../shared/library/accounts/admins.ts'
import { findUser, findUserByName, listUsers, type UserRecord } from '../../../shared/library/accounts/users.ts'
import { Conflict, NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { deleteUser } from '../../../shared/library/removals/user.ts'
import { createShare, sharesOfCompany } from '../../../shared/library/shares/manage.ts'
import { ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { usageOfCompany } from '../../../shared/library/usage/usage.ts'
import { cutOffAfter } from '../../support/cut-off.ts'
import { requestOf } from '../../support/library.ts'
import { runRemovals } from '../../support/removals.ts'
import { sealing } from '../../support/sealing.ts'
import { TestClock } from '../../support/test-clock.ts'
import { healthyLibrary, openTestStores } from '../check/healthy-library.ts'

async function setUp() {
  const clock = new TestClock()
  const library = await healthyLibrary(openTestStores(clock), clock)
  const { companyId, userId, acting } = library
  for (let n = 0; n < 60; n++) {
    const { folderId } = await createFolder(acting(), { name: `Folder ${n}`, parent: null })
    await setGrants(library, folderId, userId, () => ['READ'])
  }
  const acts = (user: UserRecord) => ({
    ...requestOf(library, { kind: 'user' as const, user }),
    by: { kind: 'user' as const, userId: user.userId, requestId: 'r' },
    sourceAddress: '::1',
    ...sealing,
  })
  for (const user of [(await findUser(library, userId))!, library.admin.user]) {
    const { folderId } = await createFolder(acts(user), { name: 'Shared', parent: null })
    await createShare(acts(user), { folderId }, {})
  }
  const trashcan = await ensureTrashcan(library, companyId, userId)
  const files = (await usageOfCompany(library, companyId)).files
  const trashed = await library.addFile(14, [trashcan.folderId])
  const folders = async () => [...(await loadTree(library, companyId)).all()]
  return { library, companyId, userId, trashed, files, folders }
}

describe('a deleted user', () => {
  test('is gone with rights, trashcan, share links and picture; their files stay', async () => {
    const { library, companyId, userId, trashed, files, folders } = await setUp()
    await deleteUser(library, userId)

    assert.equal(await findUser(library, userId), undefined)
    assert.equal(await findUserByName(library, library.username), undefined)
    assert.ok(!(await listUsers(library, companyId)).some((user) => user.userId === userId))
    assert.deepEqual(
      (await folders()).filter(({ grants, owner }) => grants[userId] || owner === userId),
      [],
    )
    const shares = await sharesOfCompany(library, companyId)
    assert.deepEqual(
      shares.map(({ share }) => share.userId),
      [library.admin.user.userId],
    )
    assert.deepEqual((await library.media.list(`profiles/${userId}`)).objects, [])

    await runRemovals(library)
    assert.equal(await getMedia(library, trashed.mediaId), undefined)
    assert.equal((await usageOfCompany(library, companyId)).files, files)
    assert.deepEqual(await library.check(), [])
  })

  test('is disabled at once; a deletion that was cut off anywhere goes on when it is repeated', async () => {
    const { library, userId } = await setUp()
    let cuts = 0
    for (let calls = 1; await findUser(library, userId); calls++) {
      await deleteUser({ ...library, table: cutOffAfter(calls, library.table) }, userId).catch(() => cuts++)
      const left = await findUser(library, userId)
      if (calls > 10) assert.equal(left?.disabled ?? true, true)
    }
    assert.ok(cuts >= 5, `it was cut off at ${cuts} places`)
    await runRemovals(library)
    assert.deepEqual(await library.check(), [])
  })

  test('is never the last admin of a company who can sign in', async () => {
    const { library, userId } = await setUp()
    const admin = library.admin.user
    await assert.rejects(deleteUser(library, admin.userId), (error) => error instanceof Conflict && error.code === 'last_admin')
    await assert.rejects(disableUser(library, admin.userId), Conflict)
    assert.equal((await findUser(library, admin.userId))?.disabled, false)
    await deleteUser(library, userId)
    await assert.rejects(deleteUser(library, userId), NotFound)
  })
})
