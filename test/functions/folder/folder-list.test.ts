import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { childList, folderList, wholeFolderList } from '../../../functions/folder/folder-list.ts'
import { ListedFolder, listedFolderJson } from '../../../functions/folder/schema.ts'
import type { JsonText } from '../../../shared/http/declaration/results.ts'
import { TreeRights } from '../../../shared/library/access/tree-rights.ts'
import { FULL_RIGHTS, NO_RIGHTS } from '../../../shared/library/tree/folder.ts'
import { toUserId } from '../../../shared/vocabulary/ids.ts'
import { anyShares, anyTree, users } from '../../library/tree/random-trees.ts'

const caller = fc.record({
  everywhere: fc.constantFrom(NO_RIGHTS, FULL_RIGHTS),
  userId: fc.constantFrom(...users, toUserId(9)),
  shares: anyShares,
})
const name = fc.constantFrom('a', 'é"\\', '名前', 'z\u2028')

test('a list that is put together of kept texts is that of each folder, whoever asked before and whatever changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyTree,
      fc.array(fc.tuple(caller, fc.nat(25), name), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('name' as const, 'created' as const),
      fc.constantFrom('asc' as const, 'desc' as const),
      async (first, asked, sortBy, order) => {
        let tree = first
        for (const [sources, at, renamed] of asked) {
          const rights = new TreeRights(tree, sources)
          const visible = [...tree.sortedBy(sortBy)]
            .map((record) => ({ record, rights: rights.of(record) }))
            .filter((folder) => folder.rights !== NO_RIGHTS)
          if (order === 'desc') visible.reverse()
          const expected = visible.map((folder) => ListedFolder.parse(listedFolderJson(folder)))
          assert.deepEqual(parsed(await folderList(visible)), expected)
          assert.deepEqual(parsed(await wholeFolderList(rights, { sortBy, order })), expected)
          const children = visible.map((folder, n) => ({ ...folder, hasChildren: n % 2 === 0, files: n % 3 === 0 ? null : at * n }))
          assert.deepEqual(
            parsed(await childList(children, sortBy)),
            expected.map((folder, n) => ({ ...folder, has_children: children[n]!.hasChildren, file_count: children[n]!.files })),
          )
          const record = tree.everyStored()[at]
          if (record) tree = tree.with(tree.version + 1, [{ ...record, name: renamed }], at % 5 === 0 ? [record.folderId] : [])
        }
      },
    ),
  )
})

const parsed = ({ text }: JsonText): unknown => JSON.parse(typeof text === 'string' ? text : Buffer.concat(text).toString())
