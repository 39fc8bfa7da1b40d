import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { changeFolder, createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { grantFolder } from '../../../shared/library/folders/grants.ts'
import { restoreFolder } from '../../../shared/library/trash/restore.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import type { Right } from '../../../shared/library/tree/folder.ts'
import type { FolderId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

/** A folder below one that grants a user some rights, and itself some more. */
async function setUp({ above, own = [] }: { above: Right[]; own?: Right[] }) {
  const library = openTestTable()
  const { admin: adminCaller, user } = await openTestCompany(library)
  const admin = () => requestOf(library, adminCaller)
  const theirs = () => requestOf(library, user)
  const { folderId: top } = await createFolder(admin(), { name: 'top', parent: null })
  const { folderId } = await createFolder(admin(), { name: 'folder', parent: top })
  const grant = (id: FolderId, rights: Right[]) => grantFolder(admin(), id, user.user.userId, rights)
  await grant(top, above)
  await grant(folderId, own)
  const granted = async () => ((await admin().access.folder(folderId)).record.grants[user.user.userId] ?? []).toSorted()
  return {
    ...{ admin, theirs, top, folderId, grant, granted },
    move: (parent: FolderId | null) => changeFolder(theirs(), folderId, { parent }),
  }
}

describe('who moves a folder to the root', () => {
  const moves: [{ above: Right[]; own?: Right[] }, atRoot: Right[]][] = [
    [{ above: ['ADMIN'] }, ['ADMIN']],
    [{ above: ['ADMIN', 'READ'] }, ['ADMIN', 'READ']],
    [{ above: ['ADMIN', 'READ', 'WRITE'] }, ['ADMIN', 'READ', 'WRITE']],
    [{ above: ['READ'], own: ['ADMIN'] }, ['ADMIN', 'READ']],
    [{ above: [], own: ['ADMIN'] }, ['ADMIN']],
    [{ above: ['READ', 'UPLOAD'], own: ['ADMIN', 'READ'] }, ['ADMIN', 'READ', 'UPLOAD']],
  ]

  for (const [given, atRoot] of moves) {
    const { above, own = [] } = given
    test(`with ${above} from above and ${own} of it has ${atRoot} there, and what they had when it goes below again`, async () => {
      const { move, granted, grant, admin, top, folderId } = await setUp(given)
      await move(null)
      assert.deepEqual(await granted(), atRoot)
      // The move below takes ADMIN there.
      await grant(top, ['ADMIN'])
      await move(top)
      assert.deepEqual(await granted(), own.toSorted())
      await changeFolder(admin(), folderId, { parent: null })
      assert.deepEqual(await granted(), own.toSorted(), 'an admin who moves it gives nobody anything')
    })
  }

  test('keeps what somebody granted meanwhile', async () => {
    const { move, granted, grant, folderId, top } = await setUp({ above: ['ADMIN'] })
    await move(null)
    await grant(folderId, ['READ', 'ADMIN'])
    await move(top)
    assert.deepEqual(await granted(), ['ADMIN', 'READ'])
  })

  test('has by way of a trashcan what they had before, also where that is gone', async () => {
    const { theirs, folderId, granted, grant, top, admin } = await setUp({ above: ['ADMIN'] })
    await trashFolder(theirs(), folderId)
    await restoreFolder(theirs(), folderId, null)
    assert.deepEqual(await granted(), ['ADMIN'])
    // From the root and back.
    await trashFolder(theirs(), folderId)
    await restoreFolder(theirs(), folderId, undefined)
    assert.deepEqual(await granted(), ['ADMIN'])
    await trashFolder(theirs(), folderId)
    await restoreFolder(theirs(), folderId, top)
    assert.deepEqual(await granted(), [])

    await grant(top, ['ADMIN', 'READ'])
    await trashFolder(theirs(), folderId)
    await deleteFolder(admin(), top)
    await restoreFolder(theirs(), folderId, null)
    assert.deepEqual(await granted(), ['ADMIN', 'READ'])
  })

  test('has what a folder that lies in a trashcan gives outside of it alone', async () => {
    const { theirs, folderId, top, granted } = await setUp({ above: ['ADMIN'] })
    await trashFolder(theirs(), top)
    await changeFolder(theirs(), folderId, { parent: null })
    assert.deepEqual(await granted(), ['ADMIN'])
  })
})
