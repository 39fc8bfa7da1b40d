import assert from 'node:assert/strict'
import { test } from 'vitest'
import { Access } from '../../../shared/library/access/access.ts'
import { Forbidden, NotFound } from '../../../shared/library/errors.ts'
import { createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import type { Right } from '../../../shared/library/tree/rights.ts'
import { changeTree } from '../../../shared/library/tree/tree-store.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'

async function setUp() {
  const { table, clock } = openTestTable()
  const company = await openTestCompany(table, clock)
  const folder = await createFolder({ table, clock }, new Access(table, company.admin), { name: 'Folder', parent: null })
  const grant = (userId: number, rights: Right[]) =>
    changeTree(table, clock, company.companyId, (tree) => {
      const record = tree.get(folder.folderId)!
      return { put: [{ ...record, grants: { ...record.grants, [userId]: rights } }] }
    })
  return { table, clock, ...company, folder, grant }
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

test('what a deleted folder held is held no more, before any job has removed it', async () => {
  const { table, clock, user, admin, companyId, folder } = await setUp()
  const media = { companyId, folders: [folder.folderId] }
  assert.equal(await new Access(table, user).isHeld(media), true, 'whatever the rights')
  await deleteFolder({ table, clock }, new Access(table, admin), folder.folderId)
  assert.equal(await new Access(table, user).isHeld(media), false)
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
  const { table, clock, folder } = await setUp()
  const other = await openTestCompany(table, clock)
  await assert.rejects(new Access(table, other.admin).folder(folder.folderId), NotFound)
  const third = await openTestCompany(table, clock)
  const member = {
    ...other.admin,
    user: { ...other.admin.user, companies: [...other.admin.user.companies, { companyId: third.companyId, admin: true }] },
  }
  await assert.rejects(new Access(table, member).folder(folder.folderId), NotFound)
})

test('an application reads the folders of its company, but no trashcans, and writes nowhere', async () => {
  const { table, companyId, folder } = await setUp()
  const key = { keyId: 1, key: 'k', companyId, encryptedSecret: '', grants: ['downloads' as const], created: 0, pk: '', sk: '' }
  const access = new Access(table, { kind: 'application', key })
  await access.folderWith('READ', folder.folderId)
  await assert.rejects(access.folderWith('WRITE', folder.folderId), Forbidden)
  const visible = await access.visibleFolders(companyId)
  assert.ok(visible.every(({ record }) => record.system !== 'trash'))
})
