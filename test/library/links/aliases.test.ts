import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { addAlias, listAliases, removeAlias } from '../../../shared/library/links/aliases.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import { getLinks } from '../../../shared/library/media/link.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { contentsOf, type FolderRecord } from '../../../shared/library/tree/folder.ts'
import { claimAlias, ensurePublicGallery, ensureTrashcan, findAlias, MAX_ALIASES } from '../../../shared/library/tree/system-folders.ts'
import { changeTree, loadTree } from '../../../shared/library/tree/tree-store.ts'
import { toFolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const ofKind =
  (kind: new (...args: never[]) => Error, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof kind, String(error))
    assert.match(error.message, message)
    return true
  }

async function setUp() {
  const library = openTestTable()
  const { companyId, admin } = await openTestCompany(library)
  const acting = requestOf(library, admin)
  const make = (name: string, parent?: FolderRecord) => createFolder(acting, { name, parent: parent?.folderId ?? null })
  /** Files in a folder, of which every third one is read-only there. */
  const fill = async (folder: FolderRecord, count: number) => {
    const mediaIds = Array.from({ length: count }, (_, index) => toMediaId(index + 1))
    for (const mediaId of mediaIds) {
      const folders = [contentsOf(folder)]
      await putMedia(library.table, { mediaId, companyId, folders, readOnlyIn: mediaId % 3 === 0 ? folders : [] })
    }
    return mediaIds
  }
  const linksOf = async (mediaIds: readonly number[]) => {
    const files = await Promise.all(mediaIds.map((mediaId) => findMedia(library, toMediaId(mediaId))))
    return getLinks(
      library,
      files.flatMap(({ links = [] }) => links.map(({ id }) => id)),
    )
  }
  const claim = (alias: string) => findAlias(library, alias)
  return { library, companyId, admin, acting, make, fill, linksOf, claim }
}

/** A table that breaks after n transactions from now, which are all done by then, as a process that crashes does. */
function breakingTable(table: Table, n: number): Table {
  let left = n
  const done: Promise<void>[] = []
  return Object.assign(Object.create(table) as Table, {
    get: table.get.bind(table),
    getMany: table.getMany.bind(table),
    query: table.query.bind(table),
    delete: table.delete.bind(table),
    async transact(operations: Parameters<Table['transact']>[0]) {
      if (left-- <= 0) {
        await Promise.all(done)
        throw new Error('crash')
      }
      const transaction = table.transact(operations)
      done.push(transaction)
      return transaction
    },
  })
}

describe('an alias', () => {
  test('given to a folder makes links of the files that are there by full pointers, each once', async () => {
    const { library, companyId, make, fill, linksOf } = await setUp()
    const folder = await make('Pictures')
    const files = await fill(folder, 30)
    for (const _ of [1, 2]) await addAlias(library, companyId, 'press', { folderId: folder.folderId })
    const links = await linksOf(files)
    assert.equal(links.length, 20)
    assert.deepEqual(
      new Set(links.map(({ mediaId, revision, alias }) => `${mediaId} ${revision} ${alias}`)),
      new Set(files.filter((id) => id % 3 !== 0).map((id) => `${id} 1 press`)),
    )
  })

  test('that was interrupted while it made links goes on', async () => {
    const { library, companyId, make, fill, linksOf } = await setUp()
    const folder = await make('Pictures')
    const files = await fill(folder, 30)
    const wanted = { folderId: folder.folderId }
    const broken = { ...library, table: breakingTable(library.table, 5) }
    await assert.rejects(addAlias(broken, companyId, 'press', wanted), /crash/)
    const before = await linksOf(files)
    assert.ok(before.length > 0 && before.length < 20, String(before.length))
    await addAlias(library, companyId, 'press', { name: 'ignored' })
    const after = await linksOf(files)
    assert.equal(after.length, 20)
    for (const link of before)
      assert.deepEqual(
        after.find(({ linkId }) => linkId === link.linkId),
        link,
      )
  })

  test('that is taken away ends its links, keeps the files, and is free again', async () => {
    const { library, companyId, make, fill, linksOf, claim } = await setUp()
    const folder = await make('Pictures')
    const files = await fill(folder, 30)
    await addAlias(library, companyId, 'press', { folderId: folder.folderId })
    const links = await linksOf(files)
    assert.equal(await removeAlias(library, companyId, 'press'), folder.folderId)
    assert.deepEqual(await linksOf(files), [])
    const ended = await getLinks(
      library,
      links.map(({ linkId }) => linkId),
    )
    assert.deepEqual(new Set(ended.map(({ mediaId, revision }) => `${mediaId} ${revision}`)), new Set(['null 2']))
    const stored = (await loadTree(library, companyId)).get(folder.folderId)
    assert.deepEqual([stored?.system, stored?.alias, stored?.name], [undefined, undefined, 'Pictures'])
    for (const mediaId of files) assert.deepEqual((await findMedia(library, mediaId)).folders, [contentsOf(folder)])
    assert.equal(await claim('press'), undefined)
    await assert.rejects(removeAlias(library, companyId, 'press'), ofKind(NotFound, /no such alias/))
    const other = await openTestCompany(library)
    await addAlias(library, other.companyId, 'press', { name: 'CDN' })
  })

  test('whose removal was interrupted is nobody else’s until that has ended', async () => {
    const { library, companyId, make, fill, linksOf, claim } = await setUp()
    const folder = await make('Pictures')
    const files = await fill(folder, 30)
    await addAlias(library, companyId, 'press', { folderId: folder.folderId })
    const broken = { ...library, table: breakingTable(library.table, 5) }
    await assert.rejects(removeAlias(broken, companyId, 'press'), /crash/)
    assert.deepEqual(await listAliases(library, companyId), [], 'the folder is an ordinary one at once')
    const left = (await linksOf(files)).length
    assert.ok(left > 0 && left < 20, String(left))
    const other = await openTestCompany(library)
    await assert.rejects(addAlias(library, other.companyId, 'press', { name: 'CDN' }), ofKind(Conflict, /is taken/))
    await assert.rejects(addAlias(library, companyId, 'press', { name: 'CDN' }), ofKind(Conflict, /is being removed/))
    await assert.rejects(removeAlias(library, other.companyId, 'press'), NotFound)
    assert.equal(await removeAlias(library, companyId, 'press'), folder.folderId)
    assert.deepEqual([await linksOf(files), await claim('press')], [[], undefined])
  })

  test('that may not be given any more stays where it is: its links, its repetition, its removal', async () => {
    const { library, companyId, make } = await setUp()
    const { folderId } = await make('Folder')
    await changeTree(library, companyId, (tree) => ({
      put: [{ ...tree.get(folderId)!, system: 'cdn' as const, alias: 'iiif' }],
      also: { alias: claimAlias('iiif', { companyId, folderId }) },
    }))
    assert.equal((await addAlias(library, companyId, 'iiif', { folderId })).alias, 'iiif')
    assert.deepEqual(
      (await listAliases(library, companyId)).map(({ alias }) => alias),
      ['iiif'],
    )
    assert.equal(await removeAlias(library, companyId, 'iiif'), folderId)
    await assert.rejects(addAlias(library, companyId, 'iiif', { folderId }), ofKind(Invalid, /alias must not be iiif/))
  })

  test('is refused for what it cannot stand for', async () => {
    const { library, companyId, admin, acting, make } = await setUp()
    const add = (folderId: FolderRecord['folderId'], alias = 'press') => addAlias(library, companyId, alias, { folderId })
    for (const alias of ['', 'Press', '-', 'a.b', '_', 'x'.repeat(64), 'streams', 'player', 'iiif']) {
      await assert.rejects(addAlias(library, companyId, alias, { name: 'CDN' }), ofKind(Invalid, /alias must/), alias)
    }
    await assert.rejects(add(toFolderId(5)), NotFound)
    await assert.rejects(add((await ensurePublicGallery(library, companyId)).folderId), ofKind(Forbidden, /public gallery/))
    const { userId } = admin.user
    await assert.rejects(add((await ensureTrashcan(library, companyId, userId)).folderId), ofKind(Forbidden, /trashcan/))
    const trashed = await make('Trashed')
    await trashFolder(acting, trashed.folderId)
    await assert.rejects(add(trashed.folderId), ofKind(Forbidden, /trashcan/))
    const foreign = await openTestCompany(library)
    const theirs = await addAlias(library, foreign.companyId, 'theirs', { name: 'CDN' })
    await assert.rejects(add(theirs.folderId), NotFound)
    const folder = await make('Folder')
    await add(folder.folderId)
    await assert.rejects(add(folder.folderId, 'second'), ofKind(Conflict, /has the alias press already/))
  })

  test('is one of so many at most', async () => {
    const { library, companyId } = await setUp()
    for (let n = 0; n < MAX_ALIASES; n++) await addAlias(library, companyId, `alias-${n}`, { name: 'CDN' })
    await assert.rejects(addAlias(library, companyId, 'more', { name: 'CDN' }), ofKind(Conflict, /at most 100 aliases/))
    assert.equal((await addAlias(library, companyId, 'alias-0', { name: 'CDN' })).alias, 'alias-0', 'the same again')
  })
})
