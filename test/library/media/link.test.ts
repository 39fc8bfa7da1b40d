import assert from 'node:assert/strict'
import { test } from 'vitest'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { importEnd } from '../../../shared/library/media/importing.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import {
  askForEachPublication,
  getLink,
  getLinks,
  type LinkRecord,
  linkKey,
  MAX_LINKS_IN_FOLDER,
  publication,
} from '../../../shared/library/media/link.ts'
import type { AvailableMedia, MediaLink } from '../../../shared/library/media/media.ts'
import {
  type Placement,
  type PointerKind,
  withMovedPointer,
  withoutPointers,
  withPointer,
} from '../../../shared/library/media/placement.ts'
import { changePointers, POINTERS_AT_ONCE, relinkMedia, removePointers } from '../../../shared/library/media/pointers.ts'
import { changeTree } from '../../../shared/library/tree/tree-store.ts'
import { toContentsId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'
import { COMPANY, folderWith, putFolders, putMedia } from '../../support/media.ts'

const FILE = toMediaId(1)
const [PLAIN, SHOP, PRESS] = [toContentsId(10), toContentsId(20), toContentsId(30)]

const to =
  (contents = SHOP, kind: PointerKind = 'full') =>
  (placement: Placement) =>
    withPointer(placement, contents, kind)
const outOf =
  (contents = SHOP) =>
  (placement: Placement) =>
    withoutPointers(placement, new Set([contents]))

/** A library with a folder, and with the CDN folders `shop` and `press`. */
async function openLibrary() {
  const library = openTestTable()
  const { table } = library
  await putFolders(library, [PLAIN, SHOP, PRESS])
  await alias(SHOP, 'shop')
  await alias(PRESS, 'press')
  await putMedia(table, { mediaId: FILE, folders: [PLAIN] })

  async function alias(contents: number, name: string | undefined) {
    const system = name === undefined ? undefined : ('cdn' as const)
    await changeTree(library, COMPANY, (tree) => ({ put: [{ ...tree.get(folderWith(contents))!, system, alias: name }] }))
  }
  const seen = new Set<LinkRecord['linkId']>()
  const linksOf = async (mediaId = FILE): Promise<MediaLink[]> => {
    const links = (await table.get<StoredMedia>(mediaKey(mediaId)))?.links ?? []
    for (const { id } of links) seen.add(id)
    return links
  }
  /** Every link that was ever seen, as it is now. */
  const links = async (mediaId = FILE) => {
    await linksOf(mediaId)
    return (await getLinks(library, [...seen])).map(({ alias, mediaId, revision }) => ({ alias, mediaId, revision }))
  }
  const change = (plan: (placement: Placement) => Placement) => changePointers(library, FILE, plan)
  /** What jobs of links are asked to publish since the last look. */
  const asked = async () => {
    const jobs = await listJobs(library, [publication.name], {})
    for (const { pk, sk } of jobs) await table.delete({ pk, sk })
    return jobs.map(({ input }) => input)
  }
  return { ...library, library, alias, linksOf, links, change, asked }
}

test('a full pointer in a CDN folder makes a link, which ends with it', async () => {
  const { change, links, linksOf, table, clock, by } = await openLibrary()
  await change(to())
  const [link] = await linksOf()
  assert.match(link!.id, /^[0-9a-f]{32}$/)
  const { created, changed, ...record } = (await getLink({ table }, link!.id))!
  assert.deepEqual([created, changed], [clock.now(), clock.now()])
  assert.deepEqual(record, {
    ...{ pk: `LINK#${link!.id}`, sk: 'LINK', linkId: link!.id, companyId: COMPANY, alias: 'shop', folderId: folderWith(SHOP) },
    ...{ contents: SHOP, mediaId: FILE, revision: 1, extension: 'jpg', by },
  })
  clock.advance(60)
  await change(outOf())
  assert.deepEqual([await linksOf(), await links()], [[], [{ alias: 'shop', mediaId: null, revision: 2 }]])
  assert.equal((await getLink({ table }, link!.id))!.changed, clock.now())
})

test('what changes a link asks for its publication, and what changes several for all of them at once', async () => {
  const { library, change, linksOf, asked } = await openLibrary()
  await change(to(SHOP))
  const shop = { linkId: (await linksOf())[0]!.id, alias: 'shop' }
  assert.deepEqual(await asked(), [shop])
  await change(to(PRESS))
  const press = { linkId: (await linksOf())[1]!.id, alias: 'press' }
  assert.deepEqual(await asked(), [press])
  await change((placement) => placement)
  assert.deepEqual(await asked(), [])
  await change(() => new Map())
  const links = [shop, press]
  assert.deepEqual(await asked(), [{ links }])
  await askForEachPublication(library, COMPANY, links)
  await askForEachPublication(library, COMPANY, links)
  const each = await asked()
  assert.deepEqual(new Set(each), new Set(links))
  assert.equal(each.length, links.length)
})

test('links to a file that is being imported are published at the end of that, and are removed at once', async () => {
  const { library, table, change, linksOf, asked } = await openLibrary()
  await table.update(mediaKey(FILE), { set: { state: 'importing' } })
  await change(to(SHOP))
  await change(to(PRESS))
  assert.deepEqual(await asked(), [])
  const links = (await linksOf()).map(({ id, alias }) => ({ linkId: id, alias }))
  await change(outOf(PRESS))
  assert.deepEqual(await asked(), [links[1]])
  const { pk: _, sk: __, ...media } = (await table.get<StoredMedia>(mediaKey(FILE)))!
  await table.transact(importEnd(library, media, media as AvailableMedia, false))
  assert.deepEqual(await asked(), [links[0]])
})

test('other folders have no links; a read-only pointer has none until it is made full', async () => {
  const { change, links, alias, linksOf } = await openLibrary()
  await alias(PLAIN, undefined)
  await change(to(SHOP, 'read-only'))
  assert.deepEqual(await linksOf(), [])
  await change(to(SHOP, 'full'))
  assert.deepEqual(await links(), [{ alias: 'shop', mediaId: FILE, revision: 1 }])
})

test('a removal ends the links of many files at once, each deleted with its last pointer', async () => {
  const { library, table, links } = await openLibrary()
  const files = Array.from({ length: POINTERS_AT_ONCE }, (_, n) => toMediaId(100 + n))
  for (const [n, mediaId] of files.entries()) {
    // Each is counted in an item of its own: no transaction has more operations.
    await putMedia(table, { mediaId, uploadedBy: 1000 + n, folders: [PLAIN] })
    await changePointers(library, mediaId, (placement) => withMovedPointer(placement, PLAIN, SHOP))
    await links(mediaId)
  }
  await removePointers(library, files, SHOP)
  assert.deepEqual(await table.getMany(files.map(mediaKey)), [])
  assert.deepEqual(
    await links(),
    files.map(() => ({ alias: 'shop', mediaId: null, revision: 2 })),
  )
})

test('a file with as many links as one folder may give it is removed with them', async () => {
  const { library, table, change, links, linksOf } = await openLibrary()
  await change(to())
  const [made] = await linksOf()
  const link = (await getLink(library, made!.id))!
  const copies = Array.from({ length: MAX_LINKS_IN_FOLDER - 1 }, (_, n) => ({
    ...made!,
    id: `${n}`.padStart(32, '0') as typeof link.linkId,
  }))
  for (const { id } of copies) await table.put({ ...link, linkId: id, ...linkKey(id) })
  await table.update(mediaKey(FILE), { set: { links: [made!, ...copies] } })
  assert.equal((await links()).length, MAX_LINKS_IN_FOLDER)
  await removePointers(library, [FILE], SHOP)
  assert.ok((await links()).every(({ mediaId }) => mediaId === null))
})

test('files with more links than one transaction takes with them are removed one by one', async () => {
  const { library, table, links, linksOf } = await openLibrary()
  const files = Array.from({ length: POINTERS_AT_ONCE }, (_, n) => toMediaId(100 + n))
  for (const mediaId of files) {
    await putMedia(table, { mediaId, folders: [PLAIN] })
    await changePointers(library, mediaId, (placement) => withMovedPointer(placement, PLAIN, SHOP))
    const [made] = await linksOf(mediaId)
    const link = (await getLink(library, made!.id))!
    const others = ['0', '1', '2', '3'].map((digit) => ({ ...made!, id: `${mediaId}${digit}`.padStart(32, '0') as typeof link.linkId }))
    for (const { id } of others) await table.put({ ...link, linkId: id, ...linkKey(id) })
    await table.update(mediaKey(mediaId), { set: { links: [made!, ...others] } })
    await linksOf(mediaId)
  }
  await removePointers(library, files, SHOP)
  assert.deepEqual(await table.getMany(files.map(mediaKey)), [])
  assert.deepEqual([...new Set((await links()).map(({ mediaId }) => mediaId))], [null])
})

test('files of a folder that gets an alias, loses it or changes it are linked again; as often as one likes', async () => {
  const { library, alias, change, links, linksOf } = await openLibrary()
  const relink = () => relinkMedia(library, FILE, PLAIN)
  await relink()
  assert.deepEqual(await linksOf(), [])
  await alias(PLAIN, 'plain')
  await relink()
  await relink()
  assert.deepEqual(await links(), [{ alias: 'plain', mediaId: FILE, revision: 1 }])
  await alias(PLAIN, 'other')
  await relink()
  assert.deepEqual(await links(), [
    { alias: 'plain', mediaId: null, revision: 2 },
    { alias: 'other', mediaId: FILE, revision: 1 },
  ])
  await alias(PLAIN, undefined)
  await relink()
  await relink()
  assert.deepEqual([await linksOf(), (await links()).map(({ mediaId }) => mediaId)], [[], [null, null]])
  await change((placement) => withMovedPointer(placement, PLAIN, SHOP))
  await relink()
  assert.equal((await linksOf()).length, 1, 'the file is in the folder no more')
})

test('links in a folder that is gone end, before a job takes the pointers', async () => {
  const { library, change, links, linksOf } = await openLibrary()
  await change(to())
  await linksOf()
  await changeTree(library, COMPANY, (tree) => ({ put: [{ ...tree.get(folderWith(SHOP))!, contents: toContentsId(99) }] }))
  await relinkMedia(library, FILE, SHOP)
  assert.deepEqual(await links(), [{ alias: 'shop', mediaId: null, revision: 2 }])
})
