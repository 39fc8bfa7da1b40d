import assert from 'node:assert/strict'
import { beforeEach, describe, expect, test } from 'vitest'
import { images } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('metadata', async () => {
  let id: number
  const { service } = await serviceWithAccounts()
  const client = await service.client()
  beforeEach(async () => {
    id = Number((await uploadAndImport(client, service.demo.folder_id, await images['plain.png'](), 'plain.png')).id)
  })
  const version = async () => (await client['get-version']({ params: { id } })).body.version

  test('every change raises the version by one, and copying does not', async () => {
    const params = { id }
    await client['set-title']({ params, body: { en: 'Title' } })
    await client['set-description']({ params, body: { en: 'Description', da: 'Beskrivelse' } })
    await client['set-byline']({ params, body: 'By me' })
    await client['set-copyright']({ params, body: '© me' })
    await client['set-expiration-date']({ params, body: { expiration_date: '2031-05-06' } })
    await client['add-keywords']({ params, body: { en: ['a'] } })
    assert.equal(await version(), 7)
    const { body: media } = await client['get-media']({ params })
    assert.deepEqual(media.metadata.title, { en: 'Title' })
    assert.deepEqual(media.metadata.description, { en: 'Description', da: 'Beskrivelse' })
    assert.deepEqual([media.byline, media.copyright, media.expiration_date], ['By me', '© me', '2031-05-06'])
    const { body: folder } = await client['create-folder']({ body: { name: 'Copy' } })
    await client['copy-media']({ params: { id, folderId: folder.id } })
    assert.equal(await version(), 7)
  })

  test('posting the sub-document replaces it: what is absent becomes empty, what is read-only stays, what is unknown is refused', async () => {
    const params = { id }
    await client['set-title']({ params, body: { en: 'Title' } })
    await client['set-byline']({ params, body: 'By me' })
    const { body: before } = await client['get-metadata']({ params })
    const answer = await client['replace-metadata']({
      params,
      body: { ...before, description: { en: 'New' }, title: undefined, editorial: true },
    })
    assert.equal(answer.status, 200)
    const { body: after } = await client['get-metadata']({ params })
    assert.deepEqual(after, { ...before, title: {}, description: { en: 'New' }, editorial: true })
    assert.equal((await client['get-media']({ params })).body.byline, 'By me', 'lives beside it')
    const refused = await client['replace-metadata']({ params, body: { color: 'red' } as never })
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /color/)
  })

  test('byline, copyright and expiration date may change in the same step; what is absent stays, null clears', async () => {
    const params = { id }
    const before = await version()
    const beside = { byline: 'Anna Berg', copyright: 'Example Ltd', expiration_date: '2031-05-06' }
    assert.equal((await client['replace-metadata']({ params, body: { title: { en: 'Dawn' }, ...beside } })).status, 200)
    assert.equal(await version(), before + 1)
    const read = async () => {
      const { metadata, byline, copyright, expiration_date } = (await client['get-media']({ params })).body
      return { title: metadata.title, byline, copyright, expiration_date }
    }
    assert.deepEqual(await read(), { title: { en: 'Dawn' }, ...beside })
    await client['replace-metadata']({ params, body: { byline: null, copyright: '', expiration_date: null } })
    assert.deepEqual(await read(), { title: {}, byline: null, copyright: null, expiration_date: null })
    const wrong = await client['replace-metadata']({ params, body: { expiration_date: 'soon' } })
    assert.equal(wrong.status, 400)
  })

  test('expiration: a date, or a month whose last day it becomes; deleting it makes the file good again', async () => {
    const params = { id }
    const set = (body: object) => client['set-expiration-date']({ params, body: body as never })
    assert.deepEqual((await client['get-expiration-date']({ params })).body, { expiration_date: null })
    assert.equal((await set({ expiration_year: '2028', expiration_month: '2' })).status, 200)
    assert.deepEqual((await client['get-expiration-date']({ params })).body, { expiration_date: '2028-02-29' })
    assert.equal((await set({ expiration_date: '2020-01-01' })).status, 200)
    assert.equal((await client['get-media']({ params })).body.expired, true)
    for (const wrong of [
      {},
      { expiration_date: '2028-02-30' },
      { expiration_date: 'soon' },
      { expiration_year: '2028' },
      { expiration_year: '2028', expiration_month: '13' },
    ]) {
      assert.equal((await set(wrong)).status, 400, JSON.stringify(wrong))
    }
    await client['delete-expiration-date']({ params })
    assert.deepEqual((await client['get-expiration-date']({ params })).body, { expiration_date: null })
    assert.equal((await client['get-media']({ params })).body.expired, false)
  })

  test('keywords: added once, removed, replaced, deleted; the answer is the result', async () => {
    const params = { id }
    const add = await client['add-keywords']({ params, body: { en: ['one', 'two', 'one', ' two '] } })
    assert.deepEqual(add.body, { en: ['one', 'two'] })
    assert.deepEqual((await client['add-keywords']({ params, body: { en: ['three', 'two'] } })).body, { en: ['one', 'two', 'three'] })
    assert.deepEqual((await client['remove-keywords']({ params, body: { en: ['two', 'unknown'] } })).body, { en: ['one', 'three'] })
    assert.deepEqual((await client['replace-keywords']({ params, body: { en: ['e\u0301'] } })).body, { en: ['\u00e9'] })
    assert.deepEqual((await client['delete-keywords']({ params })).body, {})
    assert.equal((await client['add-keywords']({ params, body: { en: [''] } })).status, 400)
    assert.equal((await client['add-keywords']({ params, body: { en: ['a\u0000b'] } })).status, 400)
  })

  const refuses = async (body: Buffer) => {
    const headers = { authorization: await service.signIn(), 'content-type': 'application/json' }
    const response = await service.request(`/media/${id}/metadata/title`, { method: 'POST', headers, body })
    assert.equal(response.status, 400)
    assert.equal(await version(), 1)
  }

  test('fields that could not be kept are refused', () => refuses(Buffer.from('{"__proto__": "x"}')))

  test('bytes that are no UTF-8 are refused', () => refuses(Buffer.from('7b22656e223a22fcff227d', 'hex')))

  test('keywords of several files: all or none', async () => {
    const second = Number((await uploadAndImport(client, service.demo.folder_id, Buffer.from('text'), 'a.txt')).id)
    assert.equal((await client['add-keywords']({ params: { id: `${id},${second}` }, body: { en: ['both'] } })).status, 200)
    for (const each of [id, second])
      assert.deepEqual((await client['get-metadata']({ params: { id: each } })).body.keywords, { en: ['both'] })
    assert.equal((await client['add-keywords']({ params: { id: `${id},${second},1` }, body: { en: ['none'] } })).status, 404)
    assert.deepEqual((await client['get-metadata']({ params: { id } })).body.keywords, { en: ['both'] })
    const many = Array.from({ length: 101 }, (_, n) => n + 1).join(',')
    assert.equal((await client['add-keywords']({ params: { id: many }, body: { en: ['x'] } })).status, 400)
  })

  test('when the last pointer goes the file goes, with everything stored of it', async () => {
    const folderId = service.demo.folder_id
    const { body: other } = await client['create-folder']({ body: { name: 'Other' } })
    const { url } = (await client['get-download-location']({ params: { id } })).body
    await client['move-media']({ params: { id }, body: { from: folderId, to: other.id } })
    assert.deepEqual((await client['list-media-folders']({ params: { id } })).body, [{ group_id: other.id, status: 'RELEASED' }])
    assert.equal((await client['remove-media']({ params: { id, folderId } })).status, 404, 'it is not there any more')
    assert.equal((await client['remove-media']({ params: { id, folderId: other.id } })).status, 200)
    assert.equal((await client['get-media']({ params: { id } })).status, 404)
    const { body } = await client['search-media']({ query: { unique_media_id: id, return_values: 'unique_media_id' } })
    assert.equal(body.response.hits, 0)
    await expect.poll(async () => (await fetch(url)).status, { timeout: 120_000 }).toBeGreaterThanOrEqual(400)
  })
})
