import assert from 'node:assert/strict'
import { test } from 'vitest'
import { cut } from '../../../functions/folder/folder-texts.ts'
import { newFolder } from '../../../shared/library/tree/folder.ts'
import { toCompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'

const FOLDERS = 20_000
const given = { companyId: toCompanyId(11), parent: null, created: 0 }
const all = Array.from({ length: FOLDERS }, (_, n) => newFolder(toFolderId(n + 1), { ...given, name: `Folder ${(n * 7919) % FOLDERS}` }))

test('a list is cut into parts that other requests can wait for, without a gap', () => {
  const parts = cut(all)
  assert.deepEqual([parts[0]![0], parts.at(-1)![1]], [0, FOLDERS])
  for (const [n, [from, to]] of parts.entries()) assert.ok(from === (parts[n - 1]?.[1] ?? 0) && to > from && to - from < 5_000)
  assert.ok(parts.length > FOLDERS / 1_000)
  assert.deepEqual(cut([]), [])
})
