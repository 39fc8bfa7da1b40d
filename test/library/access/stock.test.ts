import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Access, type PlacedMedia } from '../../../shared/library/access/access.ts'
import type { ApplicationCaller, UserCaller } from '../../../shared/library/access/caller.ts'
import { setStock } from '../../../shared/library/accounts/companies.ts'
import { Forbidden, NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { addAlias } from '../../../shared/library/publishing/aliases.ts'
import { contentsOf, NO_RIGHTS, READ_ALONE, rights } from '../../../shared/library/tree/folder.ts'
import { CATALOGUE, type CompanyId, toContentsId, toKeyId } from '../../../shared/vocabulary/ids.ts'
import { countingTable, newCount } from '../../support/counting-table.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

const item: PlacedMedia = { companyId: CATALOGUE, folders: [toContentsId(7)] }

function application(companyId: CompanyId): ApplicationCaller {
  const key = { keyId: toKeyId(1), key: 'k', companyId, encryptedSecret: '', grants: ['downloads' as const], created: 0, pk: '', sk: '' }
  return { kind: 'application', key }
}

const alsoOf = ({ user }: UserCaller, companyId: CompanyId): UserCaller => ({
  kind: 'user',
  user: { ...user, companies: [...user.companies, { companyId, admin: false }] },
})

async function setUp() {
  const library = openTestTable()
  return { library, table: library.table, ...(await openTestCompany(library)) }
}

const notEnabled = (error: unknown) => error instanceof Forbidden && error.code === 'stock_not_enabled'

describe('the right to use the stock library', () => {
  test('belongs to a company: its users and its application have it, whatever their rights on folders', async () => {
    const { library, table, companyId, admin, user } = await setUp()
    for (const caller of [admin, user, application(companyId)]) {
      assert.equal(await new Access(table, caller).hasStock(), false, 'not at first')
      await assert.rejects(new Access(table, caller).requireStock(), notEnabled)
    }
    await setStock(library, companyId, true)
    for (const caller of [admin, user, application(companyId)]) {
      assert.equal(await new Access(table, caller).hasStock(), true)
      assert.equal(await new Access(table, caller).requireStock(), companyId)
    }
  })

  test('of a user of two companies is that of the first company that has it', async () => {
    const { library, table, companyId: first, admin } = await setUp()
    const { companyId: second } = await openTestCompany(library)
    const caller = alsoOf(admin, second)
    await setStock(library, second, true)
    assert.equal(await new Access(table, caller).requireStock(), second)
    await setStock(library, first, true)
    assert.equal(await new Access(table, caller).requireStock(), first)
    assert.equal(await new Access(table, application(first)).requireStock(), first)
  })

  test('of another company is nobody’s', async () => {
    const { library, table, admin, companyId } = await setUp()
    const other = await openTestCompany(library)
    await setStock(library, other.companyId, true)
    assert.equal(await new Access(table, admin).hasStock(), false)
    assert.equal(await new Access(table, application(companyId)).hasStock(), false)
  })

  test('ends with the next request after it was taken back', async () => {
    const { library, table, companyId, user } = await setUp()
    await setStock(library, companyId, true)
    assert.equal(await new Access(table, user).hasStock(), true)
    await setStock(library, companyId, false)
    assert.equal(await new Access(table, user).hasStock(), false)
    await assert.rejects(new Access(table, user).requireMedia('READ', item), NotFound)
  })

  test('takes one read a request', async () => {
    const { table, user } = await setUp()
    const count = newCount()
    const access = new Access(countingTable(table, count), user)
    await Promise.all([access.hasStock(), access.hasOnMedia('READ', item), access.requireStock().catch(() => undefined)])
    assert.deepEqual(count, { ...newCount(), gets: 1 })
  })
})

describe('an item of the stock catalogue', () => {
  test('does not exist for callers without the right', async () => {
    const { table, companyId, admin, user } = await setUp()
    for (const caller of [admin, user, application(companyId)]) {
      const access = new Access(table, caller)
      assert.equal(await access.mediaRights(item), NO_RIGHTS)
      await assert.rejects(access.requireVisible(item), NotFound)
      for (const right of rights) await assert.rejects(access.requireMedia(right, item), NotFound)
      await assert.rejects(access.requirePublishable(item), NotFound)
    }
  })

  test('can be read with the right, and nothing else: also by admins', async () => {
    const { library, table, companyId, admin, user } = await setUp()
    await setStock(library, companyId, true)
    for (const caller of [admin, user, application(companyId)]) {
      const access = new Access(table, caller)
      assert.equal(await access.mediaRights(item), READ_ALONE)
      await access.requireVisible(item)
      await access.requireMedia('READ', item)
      for (const right of ['WRITE', 'ADMIN', 'UPLOAD'] as const) {
        assert.equal(await access.hasOnMedia(right, item), false)
        await assert.rejects(access.requireMedia(right, item), Forbidden)
      }
      await assert.rejects(access.requirePublishable(item), Forbidden)
      assert.deepEqual(await access.visibleAmong(item), [], 'none of its folders is shown')
      assert.deepEqual(await access.writableAmong(item), [])
      assert.equal(await access.isContained(item), false)
    }
  })

  test('can’t be published, whatever rights the caller has on the CDN folder', async () => {
    const { library, table, companyId, admin } = await setUp()
    await setStock(library, companyId, true)
    const { folderId } = await addAlias(library, companyId, 'press', { name: 'CDN' })
    const access = new Access(table, admin)
    const { record } = await access.folder(folderId)
    await assert.rejects(access.requirePublishing(record, item), Forbidden)
  })

  test('is in no folder of a company: ids of folders that are the same give nothing', async () => {
    const { library, table, companyId, admin } = await setUp()
    const folder = await createFolder(requestOf(library, admin), { name: 'Folder', parent: null })
    const alike: PlacedMedia = { companyId: CATALOGUE, folders: [contentsOf(folder)] }
    assert.equal(await new Access(table, admin).mediaRights(alike), NO_RIGHTS)
    await setStock(library, companyId, true)
    assert.equal(await new Access(table, admin).mediaRights(alike), READ_ALONE)
    assert.deepEqual(await new Access(table, admin).visibleAmong(alike), [])
  })
})
