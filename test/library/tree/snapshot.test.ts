import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Item, type Table, TableUnavailable } from '../../../shared/backends/table/port.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import { type FolderRecord, newFolder } from '../../../shared/library/tree/folder.ts'
import { deletionOf, emptyingOf } from '../../../shared/library/tree/folder-changes.ts'
import { KEPT_VERSIONS } from '../../../shared/library/tree/tree-log.ts'
import { changeFolders, changeTree, loadStoredTree, loadTree, removeFolders } from '../../../shared/library/tree/tree-store.ts'
import { toCompanyId, toFolderId, toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { countingTable, newCount } from '../../support/counting-table.ts'
import { openTestTable } from '../../support/library.ts'

const COMPANY = toCompanyId(7)
const PARTITION = `COMPANY#${COMPANY}`
const FOLDERS = 4_500
const AT_ONCE = 90

/** A company with as many folders as make snapshots worthwhile. */
async function setUp({ folders = FOLDERS }: { folders?: number } = {}) {
  const library = openTestTable()
  const { table } = library
  const put = (from: number, count: number, changing: Table = table) =>
    changeTree({ ...library, table: changing }, COMPANY, () => ({ put: Array.from({ length: count }, (_, n) => folder(from + n)) }))
  for (let from = 1; from <= folders; from += AT_ONCE) await put(from, AT_ONCE)
  const items = (prefix: string) => Array.fromAsync(everyItem(table, { pk: PARTITION, sk: { beginsWith: prefix } }))
  /** As a process with nothing in memory reads it. @returns how many items it read by queries */
  const read = async () => {
    const count = newCount()
    const tree = await loadTree({ table: countingTable(table, count) }, COMPANY)
    const stored = await loadStoredTree(library, COMPANY)
    assert.deepEqual(byId(tree.everyStored()), byId(stored.everyStored()))
    assert.equal(tree.version, stored.version)
    return count.queried
  }
  const rename = (id: number, changing: Table = table) =>
    changeFolders({ ...library, table: changing }, COMPANY, [toFolderId(id)], (chains) => ({
      put: [{ ...chains.get(toFolderId(id))!, name: `Renamed ${id}` }],
    }))
  return { library, table, put, items, read, rename }
}

function folder(id: number): FolderRecord {
  const given = { companyId: COMPANY, name: `Folder ${id}`, parent: id <= 10 ? null : toFolderId(Math.floor(id / 10)), created: id }
  const grants = { [toUserId(id)]: ['READ' as const] }
  if (id % 100 === 0) return newFolder(toFolderId(id), { ...given, name: 'ʕ•ᴥ•ʔ "né"', tags: ['Sun', 'été'], cover: toMediaId(id), grants })
  return newFolder(toFolderId(id), given)
}

const byId = (folders: readonly FolderRecord[]) => folders.toSorted((a, b) => a.folderId - b.folderId)

test('a process with nothing in memory reads the last snapshot and what changed since', async () => {
  const { library, read, rename } = await setUp()
  assert.ok((await read()) < FOLDERS / 20)
  await rename(50)
  await removeFolders(library, COMPANY, [toFolderId(4_321)])
  await changeTree(library, COMPANY, (tree) => ({
    put: [
      ...deletionOf(library, tree.get(toFolderId(4_000))!).put,
      ...emptyingOf(library, tree.get(toFolderId(300))!, toFolderId(9_999)).put,
    ],
  }))
  assert.ok((await read()) < FOLDERS / 20)
})

test('a snapshot that lacks something, or is damaged, or older than the log, is as if it weren’t there', async () => {
  const { table, items, read, rename } = await setUp()
  const [chunk] = await items('TREESNAPSHOT#')
  const [told] = (await items('TREESNAPSHOT')).filter(({ sk }) => sk === 'TREESNAPSHOT')
  const current = `TREESNAPSHOT#${told!.slot}#0`
  const key = { pk: PARTITION, sk: current }
  const whole = await table.get<Item>(key)
  assert.ok(chunk && whole)
  const damages: (() => Promise<unknown>)[] = [
    () => table.delete(key),
    () => table.put({ ...whole, version: 1 }),
    () => table.put({ ...whole, folders: '' }),
    () => table.put({ ...whole, folders: 7 }),
    () => table.put({ ...whole, folders: flipped(whole.folders as string) }),
    () => table.put({ ...told!, chunks: (told!.chunks as number) + 1 }),
  ]
  for (const damage of damages) {
    await damage()
    assert.equal(await read(), FOLDERS)
    await table.put(whole)
    await table.put(told!)
    assert.ok((await read()) < FOLDERS / 20)
  }
  await rename(1)
  await rename(2)
  const [, last] = (await items('TREE#')).slice(-2)
  await table.delete({ pk: last!.pk, sk: last!.sk })
  assert.ok((await read()) >= FOLDERS)
})

test('a change is done whether or not its snapshot can be stored; the next one that is due is', async () => {
  const { table, items, rename, put, read } = await setUp({ folders: 22 * AT_ONCE })
  const failing: Table = {
    ...countingTable(table, newCount()),
    put: async () => {
      throw new TableUnavailable('no')
    },
  }
  for (let from = 2_001; from <= 3_500; from += AT_ONCE) await put(from, AT_ONCE, failing)
  await rename(2_001, failing)
  assert.equal((await items('TREESNAPSHOT')).length, 0)
  for (let round = 0; round < 12; round++) await put(2_001, AT_ONCE)
  assert.ok((await items('TREESNAPSHOT')).length > 0)
  assert.ok((await read()) < 100)
})

test(`the log keeps ${KEPT_VERSIONS} versions`, async () => {
  const { items, rename, read, put } = await setUp({ folders: 90 })
  const versions = KEPT_VERSIONS + 20
  for (let n = 0; n < versions; n++) await rename(1 + (n % 90))
  assert.equal((await items('TREE#')).length, KEPT_VERSIONS)
  await put(1, 1)
  await read()
})

function flipped(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes[bytes.length >> 1]! ^= 1
  return bytes.toString('base64')
}
