import assert from 'node:assert/strict'
import { test } from 'vitest'
import { wholeFolderList } from '../../../functions/folder/folder-list.ts'
import { cut } from '../../../functions/folder/folder-texts.ts'
import { TreeRights } from '../../../shared/library/access/tree-rights.ts'
import { FULL_RIGHTS, newFolder } from '../../../shared/library/tree/folder.ts'
import { Tree } from '../../../shared/library/tree/tree.ts'
import { toCompanyId, toFolderId, toUserId } from '../../../shared/vocabulary/ids.ts'

const FOLDERS = 20_000
const given = { companyId: toCompanyId(11), parent: null, created: 0 }
const folder = (n: number) => newFolder(toFolderId(n), { ...given, name: `Folder ${(n * 7919) % FOLDERS}` })
const all = Array.from({ length: FOLDERS }, (_, n) => folder(n + 1))
const treeOf = (folders: typeof all) => new Tree(given.companyId, 1, folders)

/** The pieces of the list that an admin gets. */
async function piecesFor(tree: Tree): Promise<readonly Buffer[]> {
  const { text } = await wholeFolderList(new TreeRights(tree, { everywhere: FULL_RIGHTS, userId: toUserId(1), shares: new Map() }))
  assert.ok(typeof text !== 'string')
  return text
}

test('a list is cut into parts that other requests can wait for, without a gap', () => {
  const parts = cut(all)
  assert.deepEqual([parts[0]![0], parts.at(-1)![1]], [0, FOLDERS])
  for (const [n, [from, to]] of parts.entries()) assert.ok(from === (parts[n - 1]?.[1] ?? 0) && to > from && to - from < 5_000)
  assert.ok(parts.length > FOLDERS / 1_000)
  assert.deepEqual(cut([]), [])
})

test('after a change of one folder all but the parts that it was in and is in are those that were sent before', async () => {
  const before = treeOf(all)
  const sent = await piecesFor(before)
  const unchanged = await piecesFor(before)
  assert.ok(sent.every((piece, n) => n === 0 || n >= sent.length - 2 || piece === unchanged[n]))
  const after = before.with(2, [{ ...all[17]!, name: 'Zebra' }])
  const fresh = (await piecesFor(after)).filter((piece) => !sent.includes(piece))
  // Besides these the brackets, and the last part, which has no comma at its end.
  assert.ok(fresh.length <= 2 + 3, String(fresh.length))
  const listed: { id: number }[] = JSON.parse(Buffer.concat(await piecesFor(after)).toString())
  assert.deepEqual(
    listed.map(({ id }) => id),
    Array.from(after.sortedBy('name'), ({ folderId }) => folderId),
  )
})
