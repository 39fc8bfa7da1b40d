import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { revertStep } from '../../../shared/library/history/revert.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import type { EditableMetadata } from '../../../shared/library/media/media.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const FILE = toMediaId(1)

async function setUp(given: Partial<EditableMetadata> = {}) {
  const library = openTestTable()
  const { companyId, admin } = await openTestCompany(library)
  const folder = await createFolder(requestOf(library, admin), { name: 'Folder', parent: null })
  await putMedia(library.table, { mediaId: FILE, companyId, folders: [contentsOf(folder)], ...given })
  const edit = (fields: Partial<EditableMetadata>) => editMetadata(library, [FILE], () => fields)
  const revert = (version: number, force = false) => revertStep(requestOf(library, admin), FILE, version, { force })
  return { edit, revert, read: () => findMedia(library, FILE) }
}

describe('a revert', () => {
  test('brings back which fields were emptied, and leaves the others as they are', async () => {
    const { edit, revert, read } = await setUp({ copyright: 'Of the file', title: { en: 'Of the file' } })
    await edit({ copyright: null, title: {} })
    await edit({ copyright: 'Example Ltd' })
    assert.deepEqual((await read()).emptied, ['title'])
    assert.equal(await revert(3), 4)
    assert.deepEqual([(await read()).copyright, (await read()).emptied?.toSorted()], [null, ['copyright', 'title']])
    await edit({ title: { en: 'Edited' } })
    assert.equal(await revert(2, true), 6)
    assert.partialDeepStrictEqual(await read(), { copyright: 'Of the file', title: { en: 'Of the file' }, emptied: [] })
  })

  test('takes the focal point away where there was none', async () => {
    const { edit, revert, read } = await setUp()
    await edit({ focalPoint: { x: 0.5, y: 0.5 } })
    await revert(2)
    assert.equal((await read()).focalPoint, null)
    assert.equal(await revert(2), 3, 'nothing is left to change')
  })

  test('is refused where the field was changed there and back since', async () => {
    const { edit, revert, read } = await setUp()
    for (const byline of ['Anna', 'Berta', 'Anna']) await edit({ byline })
    await assert.rejects(revert(2), { code: 'changed_since', details: { changed: ['byline'] } })
    assert.equal((await read()).version, 4)
  })

  test('at the same time as others makes each step once', async () => {
    const { edit, revert, read } = await setUp()
    await edit({ byline: 'Anna' })
    const versions = await Promise.all([revert(2), edit({ title: { en: 'Title' } }), revert(2), revert(2)])
    const media = await read()
    assert.deepEqual([media.version, media.byline, media.title, versions.length], [4, null, { en: 'Title' }, 4])
  })

  test('of a step that fell out, or never was, finds nothing', async () => {
    const { edit, revert } = await setUp()
    for (let n = 1; n <= 201; n += 1) await edit({ byline: `${n}` })
    for (const version of [1, 2, 203]) await assert.rejects(revert(version), { code: 'version_not_found' })
    assert.equal(await revert(3, true), 203)
  })
})
