import assert from 'node:assert/strict'
import { test } from 'vitest'
import { Access } from '../../../shared/library/access/access.ts'
import { Forbidden, NotFound } from '../../../shared/library/errors.ts'
import { createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import type { Right } from '../../../shared/library/tree/folder.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { changeTree } from '../../../shared/library/tree/tree-store.ts'
import { toKeyId, type UserId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { everybodyMayDoWhatRulesSay } from './oracle/compare.ts'

async function setUp() {
  const library = openTestTable()
  const company = await openTestCompany(library)
  const folder = await createFolder(requestOf(library, company.admin), { name: 'Folder', parent: null })
  const grant = (userId: UserId, rights: Right[]) =>
    changeTree(library, company.companyId, (tree) => {
      const record = tree.get(folder.folderId)!
      return { put: [{ ...record, grants: { ...record.grants, [userId]: rights } }] }
    })
  return { library, table: library.table, ...company, folder, grant }
}

test('without any flag a folder does not exist', async () => {
  const { table, user, folder } = await setUp()
  await assert.rejects(new Access(table, user).folderWith('READ', folder.folderId), NotFound)
})

test('with some flag but not the one needed it is forbidden', async () => {
  const { table, user, folder, grant } = await setUp()
  await grant(user.user.userId, ['READ'])
  const access = new Access(table, user)
  await access.folderWith('READ', folder.folderId)
  await assert.rejects(access.folderWith('WRITE', folder.folderId), Forbidden)
  await assert.rejects(access.alterableFolder(folder.folderId), Forbidden)
})

test('a deleted folder contains nothing any more, before any job has removed it', async () => {
  const { library, table, user, admin, companyId, folder } = await setUp()
  const media = { companyId, folders: [contentsOf(folder)] }
  assert.equal(await new Access(table, user).isContained(media), true, 'whatever the rights')
  await deleteFolder(requestOf(library, admin), folder.folderId)
  assert.equal(await new Access(table, user).isContained(media), false)
})

test('no flag implies another, but WRITE lets upload', async () => {
  const { table, user, folder, grant } = await setUp()
  await grant(user.user.userId, ['WRITE'])
  const access = new Access(table, user)
  await access.folderWith('UPLOAD', folder.folderId)
  await assert.rejects(access.folderWith('READ', folder.folderId), Forbidden)
  await assert.rejects(access.folderWith('ADMIN', folder.folderId), Forbidden)
})

test('a right that is taken away is gone on the next request', async () => {
  const { table, user, folder, grant } = await setUp()
  await grant(user.user.userId, ['READ'])
  await new Access(table, user).folderWith('READ', folder.folderId)
  await grant(user.user.userId, [])
  await assert.rejects(new Access(table, user).folderWith('READ', folder.folderId), NotFound)
})

test("an admin has every right in the company but in others' trashcans", async () => {
  const { table, companyId, admin, user } = await setUp()
  const access = new Access(table, admin)
  const trashcans = [...(await access.tree(companyId)).all()].filter(({ system }) => system === 'trash')
  const own = trashcans.find(({ owner }) => owner === admin.user.userId)!
  const others = trashcans.find(({ owner }) => owner === user.user.userId)!
  await access.folderWith('READ', own.folderId)
  await assert.rejects(access.folder(others.folderId), NotFound)
  await assert.rejects(access.alterableFolder(own.folderId), Forbidden, 'a trashcan is permanent')
})

test('a folder of another company does not exist, nor does it for members of several companies', async () => {
  const { library, table, folder } = await setUp()
  const other = await openTestCompany(library)
  await assert.rejects(new Access(table, other.admin).folder(folder.folderId), NotFound)
  const third = await openTestCompany(library)
  const member = {
    ...other.admin,
    user: { ...other.admin.user, companies: [...other.admin.user.companies, { companyId: third.companyId, admin: true }] },
  }
  await assert.rejects(new Access(table, member).folder(folder.folderId), NotFound)
})

test('an application reads the folders of its company, but no trashcans, and writes nowhere', async () => {
  const { table, companyId, folder } = await setUp()
  const key = { keyId: toKeyId(1), key: 'k', companyId, encryptedSecret: '', grants: ['downloads' as const], created: 0, pk: '', sk: '' }
  const access = new Access(table, { kind: 'application', key })
  await access.folderWith('READ', folder.folderId)
  await assert.rejects(access.folderWith('WRITE', folder.folderId), Forbidden)
  const visible = await access.visibleFolders(companyId)
  assert.ok(visible.every(({ record }) => record.system !== 'trash'))
})

test('in one life of a library, the same each time, everybody may do what the rules say after each step', () =>
  everybodyMayDoWhatRulesSay({ numRuns: 1, seed: 7 }))
