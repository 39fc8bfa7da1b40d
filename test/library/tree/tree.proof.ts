import assert from 'node:assert/strict'
import { test } from 'vitest'
import { refusePermanent } from '../../../shared/library/folders/folders.ts'
import { TaggedFolders } from '../../../shared/library/search/tagged-folders.ts'
import { newFolder } from '../../../shared/library/tree/folder.ts'
import { height } from '../../../shared/library/tree/folder-changes.ts'
import { Tree } from '../../../shared/library/tree/tree.ts'
import { toCompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'

/** More folders in one than a call takes arguments. */
const MANY = 150_000
const TOP = toFolderId(1)
const COMPANY = toCompanyId(42)
const given = { companyId: COMPANY, name: 'Folder', created: 0 }

test('a folder with 150,000 others in it is measured, searched by its tags, and may be deleted', () => {
  const below = Array.from({ length: MANY }, (_, n) => newFolder(toFolderId(n + 2), { ...given, parent: TOP }))
  const folders = [newFolder(TOP, { ...given, parent: null, tags: ['tag'] }), ...below]
  const tree = new Tree(COMPANY, 1, folders)
  assert.equal(tree.subtree(TOP).length, MANY + 1)
  assert.equal(height(tree, TOP), 2)
  const tagged = new TaggedFolders(tree)
  const tags = tagged.matching({ words: ['tag'], matching: 'word', excluded: false })
  assert.deepEqual(tagged.foldersWith(tags), [[0, MANY + 1]])
  assert.doesNotThrow(() => refusePermanent(tree, TOP))
})
