import assert from 'node:assert/strict'
import { test } from 'vitest'
import { Conflict } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { addAlias } from '../../../shared/library/links/aliases.ts'
import { findLink } from '../../../shared/library/links/find-links.ts'
import { replaceLinked } from '../../../shared/library/links/replace-linked.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { getLink, linkKey, MAX_LINKS_IN_FOLDER, publication } from '../../../shared/library/media/link.ts'
import type { MediaLink } from '../../../shared/library/media/media.ts'
import { copyMedia } from '../../../shared/library/media/place.ts'
import { withoutPointers } from '../../../shared/library/media/placement.ts'
import { changePointers, getPointers } from '../../../shared/library/media/pointers.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { toLinkId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const [PNG, JPEG] = [toMediaId(1), toMediaId(2)]

/** A CDN folder with a link to the first file, and a second file. */
async function openLibrary(first: { state?: 'importing'; extension?: string } = {}) {
  const library = openTestTable()
  const { table } = library
  const { companyId, admin } = await openTestCompany(library)
  const request = () => requestOf(library, admin)
  const { folderId } = await createFolder(request(), { name: 'Folder', parent: null, companyId })
  const folder = await addAlias(library, companyId, 'shop', { name: 'Shop' })
  await putMedia(table, { mediaId: PNG, companyId, folders: [folderId], extension: 'png', ...first })
  await putMedia(table, { mediaId: JPEG, companyId, folders: [folderId], extension: 'jpg' })
  await copyMedia(request(), PNG, folder.folderId)
  const linksOf = async (mediaId = PNG) => (await table.get<StoredMedia>(mediaKey(mediaId)))!.links!
  return { ...library, request, folder, linksOf, extension: async (of = JPEG) => (await findLink(request(), folder, of)).extension }
}

test('a URL that was told before the first publication stays what it was', async () => {
  const { request, folder, extension } = await openLibrary()
  assert.equal(await extension(PNG), 'png')
  await replaceLinked(request(), folder, PNG, JPEG)
  assert.equal(await extension(), 'png')
  await replaceLinked(request(), folder, JPEG, PNG)
  assert.equal(await extension(PNG), 'png')
})

test('one that nobody could know yet gets its extension from the first file whose import ends', async () => {
  const { request, folder, extension } = await openLibrary({ state: 'importing' })
  assert.equal(await extension(PNG), undefined)
  await replaceLinked(request(), folder, PNG, JPEG)
  assert.equal(await extension(), 'jpg')
})

test('a replacement that would give a file more links than end in one transaction is refused', async () => {
  const { request, folder, linksOf, table } = await openLibrary()
  const [made] = await linksOf()
  const link = (await getLink({ table }, made!.id))!
  const many = Array.from({ length: MAX_LINKS_IN_FOLDER }, (_, n) => ({ ...made!, id: toLinkId(`${n}`.padStart(32, '0')) }))
  for (const { id } of many) await table.put({ ...link, linkId: id, ...linkKey(id) })
  await table.update(mediaKey(PNG), { set: { links: many } })
  await replaceLinked(request(), folder, PNG, JPEG)
  assert.equal((await linksOf(JPEG)).length, MAX_LINKS_IN_FOLDER)
  await copyMedia(request(), PNG, folder.folderId)
  await assert.rejects(replaceLinked(request(), folder, PNG, JPEG), (error) => error instanceof Conflict && error.code === 'too_many_links')
  assert.equal((await linksOf()).length, 1)
})

test('a replaced file that is nowhere else lies in the trashcan, with a pointer that says until when', async () => {
  const { table, request, folder } = await openLibrary()
  const elsewhere = (await table.get<StoredMedia>(mediaKey(PNG)))!.folders.filter((contents) => contents !== contentsOf(folder))
  await changePointers(request(), PNG, (placement) => withoutPointers(placement, new Set(elsewhere)))
  await replaceLinked(request(), folder, PNG, JPEG)
  const { folders } = (await table.get<StoredMedia>(mediaKey(PNG)))!
  const pointers = await getPointers({ table }, [{ mediaId: PNG, contents: folders[0]! }])
  assert.deepEqual([folders.length, pointers.map(({ dueAt }) => dueAt !== undefined)], [1, [true]])
})

test('a replaced link is published anew, once its new file is there', async () => {
  const { request, folder, linksOf, table } = await openLibrary()
  const [{ id }] = (await linksOf()) as [MediaLink]
  const asked = async () => (await publication.find({ table }, id))?.asked
  assert.equal(await asked(), 1)
  await replaceLinked(request(), folder, PNG, JPEG)
  assert.equal(await asked(), 2)
  await table.update(mediaKey(PNG), { set: { state: 'importing' } })
  await replaceLinked(request(), folder, JPEG, PNG)
  assert.equal(await asked(), 2)
})
