import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { withKeywords } from '../../../shared/library/media/languages.ts'
import { withPointer } from '../../../shared/library/media/placement.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { toContentsId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'
import { putFolders, putMedia } from '../../support/media.ts'

const read = (table: Table, mediaId: number) => table.get<StoredMedia>(mediaKey(toMediaId(mediaId)))
const addKeyword = (writing: Parameters<typeof editMetadata>[0], mediaIds: number[], keyword: string) =>
  editMetadata(writing, mediaIds.map(toMediaId), ({ keywords }) => ({ keywords: withKeywords(keywords, { en: [keyword] }) }))

test('metadata and pointers that change at the same time do not undo each other', async () => {
  const writing = openTestTable()
  const copies = Array.from({ length: 15 }, (_, n) => 100 + n)
  await putFolders(writing, [10, ...copies])
  await putMedia(writing.table, { mediaId: 1, folders: [10] })
  await Promise.all([
    ...Array.from({ length: 15 }, (_, n) => addKeyword(writing, [1], `keyword ${n}`)),
    ...copies.map((copy) => changePointers(writing, toMediaId(1), (placement) => withPointer(placement, toContentsId(copy), 'full'))),
  ])
  const media = await read(writing.table, 1)
  assert.equal(media?.version, 16, 'copying leaves the version alone')
  assert.equal(media?.keywords.en?.length, 15)
  assert.equal(media?.folders.length, 16)
})
