import assert from 'node:assert/strict'
import { test } from 'vitest'
import { getLinks, linkKey } from '../../../shared/library/links/link.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import { withoutPointers, withPointer } from '../../../shared/library/media/placement.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { addAlias } from '../../../shared/library/publishing/aliases.ts'
import { publishedUrls } from '../../../shared/library/publishing/link-url.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { changeTree, loadTree } from '../../../shared/library/tree/tree-store.ts'
import { type MediaId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { countingTable, newCount } from '../../support/counting-table.ts'
import { openTestTable } from '../../support/library.ts'
import { COMPANY, putMedia } from '../../support/media.ts'

const settings = { cdnUrl: 'https://cdn.example.com' }

/** A company with the alias `press` and files, of which all are linked. */
async function linked(fileCount: number) {
  const library = openTestTable()
  const folder = await addAlias(library, COMPANY, 'press', { name: 'CDN' })
  const mediaIds = Array.from({ length: fileCount }, (_, index) => toMediaId(index + 1))
  for (const mediaId of mediaIds) {
    await putMedia(library.table, { mediaId })
    await changePointers(library, mediaId, (placement) => withPointer(placement, contentsOf(folder), 'full'))
  }
  const files = async () => {
    const tree = await loadTree(library, COMPANY)
    return Promise.all(mediaIds.map(async (mediaId) => ({ media: await findMedia(library, mediaId), tree })))
  }
  const linksOf = async (mediaId: MediaId) =>
    getLinks(
      library,
      ((await findMedia(library, mediaId)).links ?? []).map(({ id }) => id),
    )
  const publish = async (mediaId: MediaId) => {
    for (const { linkId, revision } of await linksOf(mediaId)) {
      await library.table.update(linkKey(linkId), { set: { published: { revision, mediaId }, extension: 'jpg' } })
    }
  }
  const count = newCount()
  const urls = async () => publishedUrls({ table: countingTable(library.table, count), settings }, await files())
  return { library, folder, mediaIds, linksOf, publish, urls, count }
}

test('the links of many files are read at once, and nothing is read where there are none', async () => {
  const { library, folder, mediaIds, publish, urls, count } = await linked(120)
  for (const mediaId of mediaIds) await publish(mediaId)
  assert.equal((await urls()).size, 120)
  assert.deepEqual([count.gets, count.queries], [120, 0])

  const gone = new Set([contentsOf(folder)])
  for (const mediaId of mediaIds) await changePointers(library, mediaId, (placement) => withoutPointers(placement, gone))
  assert.equal((await urls()).size, 0)
  assert.equal(count.gets, 120, 'no more than before')
})

test('links of a folder that is gone, or is none of the CDN any more, have no URL, though they have yet to end', async () => {
  const { library, folder, mediaIds, publish, urls } = await linked(1)
  await publish(mediaIds[0]!)
  const { system: _, alias: __, ...ordinary } = folder
  await changeTree(library, COMPANY, () => ({ put: [ordinary] }))
  assert.equal((await urls()).size, 0)
  await changeTree(library, COMPANY, () => ({ put: [folder] }))
  assert.equal((await urls()).size, 1)
  await changeTree(library, COMPANY, () => ({ put: [{ ...folder, deleted: 1 }] }))
  assert.equal((await urls()).size, 0)
})
