import assert from 'node:assert/strict'
import { test } from 'vitest'
import { addAlias } from '../../../shared/library/links/aliases.ts'
import { publishedUrls } from '../../../shared/library/links/find-links.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import { linkKey } from '../../../shared/library/media/link.ts'
import type { MediaLink } from '../../../shared/library/media/media.ts'
import { withPointer } from '../../../shared/library/media/placement.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { changeTree, loadTree } from '../../../shared/library/tree/tree-store.ts'
import { openTestTable } from '../../support/library.ts'
import { COMPANY, putMedia } from '../../support/media.ts'

const settings = { cdnUrl: 'https://cdn.example.com' }

test('links of a folder that is gone, or is none of the CDN any more, have no URL, though they have yet to end', async () => {
  const library = openTestTable()
  const folder = await addAlias(library, COMPANY, 'press', { name: 'CDN' })
  const { mediaId } = await putMedia(library.table, { mediaId: 1 })
  await changePointers(library, mediaId, (placement) => withPointer(placement, contentsOf(folder), 'full'))
  const [{ id }] = (await findMedia(library, mediaId)).links as [MediaLink]
  await library.table.update(linkKey(id), { set: { published: { revision: 1, mediaId }, extension: 'jpg' } })
  const urls = async () =>
    (await publishedUrls({ ...library, settings }, [{ media: await findMedia(library, mediaId), tree: await loadTree(library, COMPANY) }]))
      .size
  const { system: _, alias: __, ...ordinary } = folder
  await changeTree(library, COMPANY, () => ({ put: [ordinary] }))
  assert.equal(await urls(), 0)
  await changeTree(library, COMPANY, () => ({ put: [folder] }))
  assert.equal(await urls(), 1)
  await changeTree(library, COMPANY, () => ({ put: [{ ...folder, deleted: 1 }] }))
  assert.equal(await urls(), 0)
})
