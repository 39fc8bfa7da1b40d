import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Key, Table } from '../../../shared/backends/table/port.ts'
import { Access } from '../../../shared/library/access/access.ts'
import { NotFound } from '../../../shared/library/errors.ts'
import { changeFolder, createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { purgeFolder } from '../../../shared/library/folders/purge.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { changeFolders, loadChains, loadTree } from '../../../shared/library/tree/tree-store.ts'
import type { FolderId } from '../../../shared/vocabulary/ids.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { countingTable, newCount } from '../../support/counting-table.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

const DEPTH = 6

/** A company with a chain of folders, and what other processes see of it: nothing is in the memory of those. */
async function setUp() {
  const library = openTestTable()
  const company = await openTestCompany(library)
  const admin = () => requestOf(library, company.admin)
  const create = (parent: FolderId | null) => createFolder(admin(), { name: 'Folder', parent })
  const chain = [await create(null)]
  while (chain.length < DEPTH) chain.unshift(await create(chain[0]!.folderId))
  const ids = chain.map(({ folderId }) => folderId)
  const otherProcess = () => {
    const count = newCount()
    return { count, table: countingTable(library.table, count) }
  }
  return { library, table: library.table, ...company, admin, create, ids, bottom: ids[0]!, otherProcess }
}

test('a process that knows nothing of the tree reads a folder and those above it, and later what changed', async () => {
  const { companyId, ids, bottom, admin, otherProcess } = await setUp()
  const { table, count } = otherProcess()
  const read = async () => {
    Object.assign(count, newCount())
    const chains = await loadChains({ table }, companyId, { folderIds: [bottom] })
    return chains.chain(bottom)?.map(({ folderId, name }) => `${name} ${folderId}`)
  }
  const expected = ids.map((id) => `Folder ${id}`)
  assert.deepEqual(await read(), expected)
  assert.deepEqual([count.gets, count.queries], [DEPTH + 2, 0], 'the version before and after')
  assert.deepEqual(await read(), expected)
  assert.deepEqual([count.gets, count.queries], [1, 0], 'the version')
  await changeFolder(admin(), ids[1]!, { name: 'Renamed' })
  assert.deepEqual(await read(), expected.with(1, `Renamed ${ids[1]}`))
  assert.deepEqual([count.gets, count.queried], [1, 1], 'the version and the log')
})

test('what a purged folder contains is found by its contents id, what it contained isn’t', async () => {
  const { library, companyId, ids, bottom, admin, otherProcess } = await setUp()
  const before = contentsOf({ folderId: bottom })
  await purgeFolder(admin(), bottom)
  const now = contentsOf((await loadTree(library, companyId)).get(bottom)!)
  const find = async () => {
    const { table } = otherProcess()
    return loadChains({ table }, companyId, { contents: [now, before] })
  }
  const chains = await find()
  assert.deepEqual(
    chains.chain(chains.folderOfContents(now)!.folderId)?.map(({ folderId }) => folderId),
    ids,
  )
  assert.equal(chains.folderOfContents(before), undefined)
  await deleteFolder(admin(), bottom)
  const gone = await find()
  for (const contents of [now, before]) assert.equal(gone.folderOfContents(contents), undefined)
})

test('folders that change while they are read give nobody a right that they had at no time', async () => {
  const { library, companyId, ids, bottom, user, admin, otherProcess } = await setUp()
  const { table } = otherProcess()
  const [, parent, above] = ids as [FolderId, FolderId, FolderId]
  let isChanged = false
  const changing: Table = {
    ...table,
    async getMany<T extends Key>(keys: readonly Key[], options?: { consistent?: boolean }) {
      const items = await table.getMany<T>(keys, options)
      if (!isChanged && keys.some(({ sk }) => sk === `FOLDER#${bottom}`)) {
        isChanged = true
        await changeFolder(admin(), bottom, { parent: null })
        await setGrants(library, above, user.user.userId, () => ['READ'])
      }
      return items
    },
  }
  await assert.rejects(new Access(changing, user).folder(bottom), NotFound)
  assert.ok(isChanged)
  assert.ok(await new Access(changing, user).folder(parent), 'which it inherits')
  assert.deepEqual((await loadChains({ table: changing }, companyId, { folderIds: [bottom] })).chain(bottom)?.length, 1)
})

test('a process that knows nothing of the tree changes a folder without reading others, and no faster change is lost', async () => {
  const { library, companyId, bottom, create, otherProcess } = await setUp()
  for (let n = 0; n < 20; n++) await create(null)
  const { table, count } = otherProcess()
  const rename = (to: string, changed: Writing) =>
    changeFolders(changed, companyId, [bottom], (chains) => {
      const folder = chains.get(bottom)!
      return { put: [{ ...folder, name: `${folder.name}, ${to}` }] }
    })
  let isFirst = true
  const slow = beforeTransactions(table, async () => {
    if (isFirst) await rename('first', library)
    isFirst = false
  })
  await rename('second', { ...library, table: slow })
  assert.equal((await loadTree(library, companyId)).get(bottom)!.name, 'Folder, first, second')
  assert.ok(count.gets + count.queried < 3 * DEPTH, `${count.gets} and ${count.queried} items`)
})
