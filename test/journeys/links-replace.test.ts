import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { getLink } from '../../shared/library/media/link.ts'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import { serviceWithLinks } from '../support/service-with-links.ts'
import { upload } from '../support/uploading.ts'

const { accounts, admin, as, company, file, folder, linksOf, service, url } = await serviceWithLinks()
const boss = as(admin)

let plain: number
let cdn: number
/** Files in `plain`; the old one is linked. */
let old: number
let fresh: number
beforeEach(async () => {
  plain = await folder()
  cdn = (await accounts.cdnFolder(company)).folderId
  old = await file(plain)
  fresh = await file(plain)
  await boss.copy(old, cdn)
})
const foldersOf = async (id: number) =>
  (await admin.client['list-media-folders']({ params: { id } })).body.map(({ group_id }) => group_id).sort((a, b) => a - b)
const sorted = (...folders: number[]) => folders.sort((a, b) => a - b)

describe('a replaced file', () => {
  test('leaves its place in the folder, and its URL, to the new one', async () => {
    const before = await url(cdn, old)
    assert.equal(await boss.replace(cdn, old, fresh), 200)
    assert.equal(await url(cdn, fresh), before)
    assert.equal(await url(cdn, old), undefined)
    assert.deepEqual([await foldersOf(old), await foldersOf(fresh)], [[plain], sorted(plain, cdn)])
    const [link] = await linksOf(fresh)
    const { mediaId, revision } = (await getLink(accounts, link!.id))!
    assert.deepEqual([mediaId, revision], [fresh, 2])
    for (const media of [old, fresh]) assert.equal((await admin.client['get-version']({ params: { id: media } })).body.version, 1)
    assert.equal(await boss.replace(cdn, old, fresh), 404, 'nothing is linked under the old id any more')
    assert.equal(await boss.replace(cdn, fresh, old), 200)
    assert.equal(await url(cdn, old), before)
  })

  test('goes to the trashcan of whoever replaces it where no other folder holds it', async () => {
    await boss.remove(old, plain)
    assert.equal(await boss.replace(cdn, old, fresh), 200)
    const trashcan = (await boss.trashcan())!
    assert.deepEqual(await foldersOf(old), [trashcan])
    assert.equal(await boss.move(old, trashcan, plain), 200)
  })

  test('leaves its links in other CDN folders alone', async () => {
    const second = (await accounts.cdnFolder(company)).folderId
    await boss.copy(old, second)
    const before = await url(second, old)
    assert.equal(await boss.replace(cdn, old, fresh), 200)
    assert.deepEqual([await url(second, old), await url(second, fresh)], [before, undefined])
  })
})

describe('the new file', () => {
  test('keeps a link that it has there already: both end with its pointer', async () => {
    await boss.copy(fresh, cdn)
    const own = await url(cdn, fresh)
    assert.equal(await boss.replace(cdn, old, fresh), 200)
    assert.equal(await url(cdn, fresh), own, 'the oldest is told')
    const links = await linksOf(fresh)
    assert.deepEqual([links.length, await linksOf(old)], [2, []])
    const newest = await file(plain)
    assert.equal(await boss.replace(cdn, fresh, newest), 200)
    assert.deepEqual(await linksOf(newest), links, 'both show what replaces it')
    assert.equal(await boss.remove(newest, cdn), 200)
    assert.deepEqual([await linksOf(newest), (await boss.link(cdn, newest)).status], [[], 404])
  })

  test('may be the old one: nothing changes', async () => {
    const before = (await boss.link(cdn, old)).body
    const [link] = await linksOf(old)
    assert.equal(await boss.replace(cdn, old, old), 200)
    assert.equal((await boss.link(cdn, old)).body.url, before.url)
    assert.equal((await getLink(accounts, link!.id))!.revision, 1)
  })

  test('may be one that is being imported', async () => {
    const before = await url(cdn, old)
    const importing = await upload(admin.client, plain, Buffer.from('text'), 'text.txt')
    assert.equal(await boss.replace(cdn, old, importing), 200)
    const { status, body } = await boss.link(cdn, importing)
    assert.deepEqual([status, body.media_id], [200, importing])
    assert.equal(body.url, before)
  })

  test('takes no place of what is not linked there, unknown, or in another folder', async () => {
    const second = (await accounts.cdnFolder(company)).folderId
    assert.equal(await boss.replace(cdn, fresh, old), 404, 'not linked')
    assert.equal(await boss.replace(second, old, fresh), 404, 'linked in another folder')
    assert.equal(await boss.replace(plain, old, fresh), 404, 'an ordinary folder')
    assert.equal(await boss.replace(2 ** 31 - 1, old, fresh), 404)
    assert.equal(await boss.replace(cdn, 2 ** 31 - 1, fresh), 404)
    assert.equal(await boss.replace(cdn, old, 2 ** 31 - 1), 404)
    assert.equal((await boss.link(plain, old)).status, 404)
    assert.equal((await boss.link(cdn, 2 ** 31 - 1)).status, 404)
    assert.ok(await url(cdn, old))
  })

  test('is of the same company', async () => {
    const second = await accounts.company('Second')
    const { userId, username, password } = await accounts.user({ companyId: company, admin: true })
    await joinCompany(accounts.library, userId, second)
    const client = await service.client(await service.signIn({ username, password }))
    const { id: theirs } = (await client['create-folder']({ body: { name: 'Theirs', parent: null, company_id: second } })).body
    const media = await upload(client, theirs, Buffer.from('text'), 'text.txt')
    const replaced = await client['replace-link']({ params: { company, folder: cdn, old, new: media } })
    assert.equal(replaced.status, 400)
    assert.equal((await client['replace-link']({ params: { company: second, folder: cdn, old, new: fresh } })).status, 404)
    assert.equal((await client['replace-link']({ params: { company, folder: cdn, old: media, new: fresh } })).status, 404)
  })
})

test('of two replacements at once one finds the old file linked', async () => {
  const other = await file(plain)
  const before = await url(cdn, old)
  const told = await Promise.all([boss.replace(cdn, old, fresh), boss.replace(cdn, old, other)])
  assert.deepEqual(told.sort(), [200, 404])
  const urls = [await url(cdn, old), await url(cdn, fresh), await url(cdn, other)]
  assert.deepEqual(
    urls.filter((each) => each !== undefined),
    [before],
  )
})
