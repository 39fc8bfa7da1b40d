import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { ProblemCode } from '../../../shared/library/check/problem.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { importItems } from '../../../shared/library/stock/import-items.ts'
import { itemKey } from '../../../shared/library/stock/items.ts'
import { fileOf } from '../../support/entry-file.ts'
import { openStores } from '../stock/set-up.ts'

/** A catalogue with an item without a file, and one whose file waits for its import. */
async function catalogue() {
  const library = await openStores()
  await importItems(library, [
    { id: 'words # and spaces', metadata: { title: { en: 'Words' } } },
    { id: 'waiting', metadata: {}, file: fileOf(Buffer.from('text'), 'text.txt') },
  ])
  return { ...library, words: await library.item('words # and spaces'), waiting: await library.item('waiting') }
}

type Catalogue = Awaited<ReturnType<typeof catalogue>>

test.each<[what: string, damage: (library: Catalogue) => unknown, found: ProblemCode[]]>([
  [
    'an item whose file is gone',
    ({ table, words }) => table.delete(mediaKey(words.mediaId)),
    ['pointer_without_file', 'stock_item_without_file'],
  ],
  ['a file whose item is gone', ({ table, words }) => table.delete(itemKey(words.stock!)), ['file_of_unknown_item']],
  [
    'an item that is said to have a file',
    ({ table, words }) => table.update(itemKey(words.stock!), { set: { file: { sha256: '', bytes: 1 } } }),
    ['stock_file_wrong'],
  ],
  [
    'an object of an item that has no file',
    ({ media, words }) => media.put(objectKeys.original(words), Buffer.from('x'), { contentType: 'text/plain' }),
    ['object_unexpected'],
  ],
  ['an import that has not ended for more than a day, since the file came', ({ clock }) => clock.advance(2 * 86_400), ['import_stuck']],
])('finds %s', async (_, damage, found) => {
  const library = await catalogue()
  await damage(library)
  const problems = (await library.problems()).map(({ problem }) => problem)
  assert.deepEqual(problems.sort(), found.toSorted())
})
