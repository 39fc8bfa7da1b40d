import assert from 'node:assert/strict'
import { beforeEach, describe, test, vi } from 'vitest'
import { serviceWithLinks } from '../support/service-with-links.ts'
import { upload } from '../support/uploading.ts'

const { accounts, admin, as, company, file, folder, member, service, url } = await serviceWithLinks()
const boss = as(admin)

/** An ordinary folder with a file, and a CDN folder with its alias. */
let plain: number
let id: number
let cdn: number
let alias: string
beforeEach(async () => {
  plain = await folder()
  id = await file(plain)
  const made = await accounts.cdnFolder(company)
  cdn = made.folderId
  alias = made.alias
})

describe('a file in a CDN folder', () => {
  test('has a link there as soon as it is put there, of which readers of the folder learn', async () => {
    assert.equal((await boss.link(cdn, id)).status, 404)
    assert.equal(await boss.copy(id, cdn), 200)
    const { status, body } = await boss.link(cdn, id)
    assert.equal(status, 200)
    assert.equal(body.media_id, id)
    assert.ok(['queued', 'active'].includes(body.state))
    assert.match(body.url!, new RegExp(`^${service.demo.cdn_url}/${alias}/[0-9a-f]{32}\\.txt$`))
    assert.match(body.changed, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

    const reader = await member()
    assert.equal((await as(reader).link(cdn, id)).status, 404)
    await accounts.grant(cdn, reader.userId, ['WRITE'])
    assert.equal((await as(reader).link(cdn, id)).status, 403)
    await accounts.grant(cdn, reader.userId, ['READ'])
    assert.equal((await as(reader).link(cdn, id)).body.url, body.url)
  })

  test('keeps its link when it is copied there again, and when other folders let it go', async () => {
    await boss.copy(id, cdn)
    const before = await url(cdn, id)
    assert.equal(await boss.copy(id, cdn), 200)
    assert.equal(await boss.setFolders(id, plain, cdn), 200)
    assert.equal(await boss.remove(id, plain), 200)
    assert.equal(await boss.copy(id, cdn), 200, 'also when no other folder holds it any more')
    assert.equal(await url(cdn, id), before)
  })

  test('has a link while it is imported; its URL is told once the extension is known', async () => {
    const uploaded = await upload(admin.client, cdn, Buffer.from('text'), 'text.txt')
    const early = (await boss.link(cdn, uploaded)).body
    assert.equal(early.media_id, uploaded)
    assert.ok(early.url === null || early.url.endsWith('.txt'))
    await vi.waitUntil(async () => (await boss.link(cdn, uploaded)).body.url !== null, { timeout: 60_000 })
    assert.match((await url(cdn, uploaded))!, /\.txt$/)
  })
})

test('a link ends for ever: a file that comes back has a new one', async () => {
  await boss.copy(id, cdn)
  const before = await url(cdn, id)
  assert.equal(await boss.trash(id, cdn), 200)
  assert.equal(await boss.move(id, (await boss.trashcan())!, cdn), 200)
  const after = await url(cdn, id)
  assert.ok(before && after && before !== after)
})
