import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { importItems } from '../../../shared/library/stock/import-items.ts'
import type { Entry } from '../../../shared/library/stock/items.ts'
import { refusals } from '../../../shared/library/stock/refusals.ts'
import { createExifTool, type ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { fileOf } from '../../support/entry-file.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { images } from '../../support/pictures/index.ts'
import { taggedJpeg } from '../../support/pictures/tagged.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { described, openStores } from './set-up.ts'

describe('an import of items', () => {
  let exiftool: ExifTool
  beforeAll(() => {
    exiftool = createExifTool()
  })
  afterAll(() => exiftool.close())

  const picture = async (metadata: Entry['metadata'] = {}): Promise<Entry> => ({
    id: 'picture',
    metadata,
    file: fileOf(await images['plain.jpg'](), 'Picture.jpg'),
  })
  /** A picture that says of itself a title, a description, keywords and more. */
  async function tagged(metadata: Entry['metadata']): Promise<Entry> {
    const bytes = await readFile(await taggedJpeg(exiftool, temporaryDirectory(), 'xmp.jpg'))
    return { id: 'tagged', metadata, file: fileOf(bytes, 'tagged.jpg') }
  }

  it('makes items without files available at once, which take no room', async () => {
    const library = await openStores()
    assert.deepEqual(await importItems(library, described(70)), { imported: 70, unchanged: 0 })
    const item = await library.item('item-3')
    const { state, kind, md5, bytes, filename, title, keywords, uploadedBy, companyId, version } = item
    assert.deepEqual(
      { state, kind, md5, bytes, filename, title, keywords, uploadedBy, companyId, version },
      {
        ...{ state: 'available', kind: 'generic', md5: undefined, bytes: 0, filename: 'item-3', title: { en: 'Title 3' } },
        ...{ keywords: { da: ['båd'] }, uploadedBy: 0, companyId: 0, version: 1 },
      },
    )
    assert.equal((await library.items()).size, 70)
    assert.ok(!(await library.records()).some(({ sk }) => sk.startsWith('USAGE#')))
    assert.deepEqual(await library.problems(), [])
  })

  it('writes nothing where an entry says less than an earlier one, or the same as the file itself', async () => {
    const library = await openStores()
    const whole = { title: { en: 'x', da: 'y' }, keywords: { en: ['a', 'b'] } }
    const first: Entry[] = [{ id: 'X', filename: 'x.txt', metadata: whole }, await tagged({})]
    const less: Entry[] = [
      { id: 'X', metadata: {} },
      { id: 'tagged', metadata: {} },
    ]
    await importItems(library, first)
    const unchanged = { imported: 0, unchanged: 2 }
    for (const entries of [less, first]) assert.deepEqual(await importItems(library, entries), unchanged, 'while its file is imported')
    await library.importFiles(exiftool)
    const before = await library.records()
    for (const entries of [less, first]) assert.deepEqual(await importItems(library, entries), unchanged)
    const { title, description } = await library.item('tagged')
    const same: Entry[] = [
      { id: 'X', filename: 'folder/x.txt', metadata: { keywords: whole.keywords } },
      { id: 'tagged', filename: 'tagged.jpg', metadata: { title, description } },
    ]
    assert.ok(title.en)
    assert.deepEqual(await importItems(library, same), unchanged)
    assert.deepEqual(await library.records(), before)
    const { title: inOrder } = whole
    for (const metadata of [{ title: { en: 'x' } }, { title: inOrder }, { keywords: { en: ['b', 'a'] } }])
      assert.deepEqual(await importItems(library, [{ id: 'X', metadata }]), { imported: 1, unchanged: 0 })
    assert.equal((await library.item('X')).version, 4)
  })

  it('changes what an item says otherwise, and leaves what it does not name, and items that are not named', async () => {
    const library = await openStores()
    await importItems(library, described(3))
    const metadata = { title: { en: 'Other' } }
    assert.deepEqual(await importItems(library, [{ id: 'item-1', metadata }, described(3)[2]!]), { imported: 1, unchanged: 1 })
    const { title, keywords, version, filename } = await library.item('item-1')
    assert.deepEqual(
      { title, keywords, version, filename },
      { title: { en: 'Other' }, keywords: { da: ['båd'] }, version: 2, filename: 'item-1' },
    )
    await importItems(library, [{ id: 'item-1', filename: 'named.jpg', metadata: { keywords: {} } }])
    const emptied = await library.item('item-1')
    assert.deepEqual([emptied.filename, emptied.keywords, emptied.title], ['named.jpg', {}, { en: 'Other' }])
    assert.equal((await library.items()).size, 3)
    assert.deepEqual(await library.problems(), [])
  })

  it('gives an item the file that comes later, and is edited while that is imported', async () => {
    const library = await openStores()
    await importItems(library, [{ id: 'picture', metadata: { title: { en: 'Later' } } }])
    const before = await library.item('picture')
    assert.deepEqual(await importItems(library, [await picture({ title: { en: 'Later' } })]), { imported: 1, unchanged: 0 })
    const waiting = await library.item('picture')
    assert.deepEqual([waiting.mediaId, waiting.state, waiting.filename], [before.mediaId, 'importing', 'Picture.jpg'])
    await importItems(library, [await picture({ title: { en: 'Edited' } })])
    assert.deepEqual(await library.problems(), [])
    await library.importFiles(exiftool)
    const after = await library.item('picture')
    assert.deepEqual([after.mediaId, after.state, after.kind, after.title], [before.mediaId, 'available', 'image', { en: 'Edited' }])
    assert.equal(after.version, 3)
    assert.deepEqual(await library.problems(), [])
    assert.deepEqual(await importItems(library, [{ id: 'picture', metadata: { title: { en: 'Edited' } } }]), { imported: 0, unchanged: 1 })
    assert.equal((await library.item('picture')).kind, 'image', 'an item that has a file keeps it')
  })

  it('refuses other files, and metadata that grows too large, before anything is taken', async () => {
    const library = await openStores()
    const long = { en: 'x'.repeat(50_000), da: 'y'.repeat(50_000), de: 'z'.repeat(50_000) }
    await importItems(library, [await picture(), { id: 'long', metadata: { description: long } }])
    const other = fileOf(Buffer.concat([await images['plain.jpg'](), Buffer.from('more')]))
    const bytes = Buffer.from(await images['plain.jpg']())
    bytes[bytes.length - 3]! ^= 1
    const entries: Entry[] = [
      { id: 'picture', metadata: {}, file: other },
      { id: 'picture', metadata: {}, file: fileOf(bytes) },
      { id: 'long', metadata: { title: long } },
      { id: 'new', metadata: { title: long, description: long } },
      await picture({ title: { en: 'This one is right' } }),
    ]
    const found = await Array.fromAsync(refusals(library, entries))
    assert.deepEqual(
      found.map(({ entry }) => entries.indexOf(entry)),
      [0, 1, 2, 3],
    )
    assert.match(found[0]!.problem, /differs from the one imported; files of items don't change: give it another id/)
    assert.match(found[2]!.problem, /at most 204800 bytes/)
  })

  it('ends in one item for each id when several run at the same time', async () => {
    const library = await openStores()
    const entries = [...described(80), await picture()]
    const results = await Promise.all([
      importItems(library, entries),
      importItems(library, entries),
      importItems(library, entries.toReversed()),
    ])
    assert.equal(
      results.reduce((sum, { imported }) => sum + imported, 0),
      81,
    )
    assert.equal((await library.items()).size, 81)
    await library.importFiles(exiftool)
    assert.deepEqual(await library.problems(), [])
  })

  it('takes nothing of a file that is cut off while it is read', async () => {
    const library = await openStores()
    const whole = fileOf(Buffer.from('all of it'), 'text.txt')
    const entry = { id: 'text', metadata: {}, file: { ...whole, open: fileOf(Buffer.from('all')).open } }
    await assert.rejects(importItems(library, [entry]), /text\.txt has changed while it was imported/)
    assert.equal((await library.items()).size, 0)
    assert.deepEqual(await importItems(library, [{ ...entry, file: whole }]), { imported: 1, unchanged: 0 })
  })

  it('goes on where it ended, whichever of its steps was the last one', async () => {
    const entries = [...described(2), { id: 'text', metadata: {}, file: fileOf(Buffer.from('some text'), 'text.txt') }]
    for (let call = 1; ; call++) {
      for (const when of ['before', 'after'] as const) {
        const stores = await openStores()
        const faults = new Faults(call, when)
        await unlessEnded(importItems({ ...stores, table: faults.in(stores.table), uploads: faults.in(stores.uploads) }, entries))
        assert.deepEqual(await stores.problems(), [], `${when} call ${call}`)
        await importItems(stores, entries)
        assert.equal((await stores.items()).size, 3)
        if (!faults.hasFailed) return
        assert.deepEqual(await importItems(stores, entries), { imported: 0, unchanged: 3 })
        await stores.importFiles(exiftool)
        assert.deepEqual(await stores.problems(), [], `${when} call ${call}, at last`)
      }
    }
  })
})
