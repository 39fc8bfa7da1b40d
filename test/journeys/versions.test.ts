import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Right } from '../../shared/library/tree/folder.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { exchangeFile } from '../support/exchanged.ts'
import { failNumber } from '../support/numbers.ts'
import { images } from '../support/pictures/index.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { postForm, uploadAndImport } from '../support/uploading.ts'

const { accounts, person } = await serviceWithAccounts()

const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code]

describe('the files of a media record', () => {
  let companyId: CompanyId
  let admin: Person
  let folder: number
  let id: number
  beforeEach(async () => {
    companyId = await accounts.company('Company')
    admin = await person({ companyId, admin: true })
    folder = (await admin.client['create-folder']({ body: { name: 'Folder' } })).body.id
    id = (await uploadAndImport(admin.client, folder, await images['plain.jpg'](), 'first.jpg')).id
  })

  const exchange = (change: Parameters<typeof exchangeFile>[2] = {}) => exchangeFile(accounts.library, id, change)
  const list = async (query: { cursor?: string; limit?: string } = {}) => (await admin.client['list-files']({ params: { id }, query })).body
  const numbers = async () => (await list()).files.map(({ number }) => number)
  const document = async () => (await admin.client['get-media']({ params: { id } })).body
  const version = async () => (await admin.client['get-version']({ params: { id } })).body.version
  const restore = (number: number, body?: object, headers: Record<string, string> = {}) =>
    admin.client['restore-file']({ params: { id, number }, ...(body && { body }), init: { headers } })
  const remove = (number: number, { client } = admin) => client['delete-file']({ params: { id, number } })
  const note = (number: number, body: object) => admin.client['note-file']({ params: { id, number }, body })
  const somebodyWith = async (...rights: Right[]) => {
    const somebody = await person({ companyId })
    await accounts.grant(folder, somebody.userId, rights)
    return somebody
  }

  test('are one after upload', async () => {
    const { file_md5, file_disksize, width, height, file_number } = await document()
    assert.equal(file_number, 1)
    const { files, cursor, more } = await list()
    const [{ created, preview_url, ...file } = assert.fail(), ...others] = files
    assert.deepEqual(file, {
      ...{ number: 1, current: true, state: 'available', filename: 'first.jpg', file_mimetype: 'image/jpeg' },
      ...{ file_disksize, file_md5, width, height, uploaded_by: admin.userId, comment: null, pinned: false },
    })
    assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.equal((await fetch(preview_url!)).status, 200)
    assert.deepEqual([others, cursor, more], [[], null, false])
    const query = { unique_media_id: [id], return_values: ['file_number'] }
    assert.deepEqual((await admin.client['search-media']({ query })).body.response.media, [{ file_number: 1 }])
  })

  test('come newest first, with those that failed, page by page while numbers are added', async () => {
    await exchange({ md5: 'a'.repeat(32) })
    await failNumber(accounts.table, id)
    await exchange({ md5: 'b'.repeat(32) })
    await failNumber(accounts.table, id)
    const first = await list({ limit: '2' })
    await exchange()
    const second = await list({ limit: '2', cursor: first.cursor! })
    const third = await list({ limit: '2', cursor: second.cursor! })
    const all = [first, second, third].flatMap(({ files }) => files)
    assert.deepEqual(
      all.map(({ number, state, current }) => [number, state, current]),
      [
        [5, 'failed', false],
        [4, 'available', true],
        [3, 'failed', false],
        [2, 'available', false],
        [1, 'available', false],
      ],
    )
    assert.deepEqual(
      [first, second, third].map(({ more, cursor }) => [more, cursor !== null]),
      [
        [true, true],
        [true, true],
        [false, false],
      ],
    )
    const { file_md5, file_mimetype, width, preview_url } = all[0]!
    assert.deepEqual([file_md5, file_mimetype, width, preview_url], [null, null, null, null])
    for (const cursor of ['nothing', 'number-0'])
      assert.deepEqual(codeOf(await admin.client['list-files']({ params: { id }, query: { cursor } })), [400, 'invalid_input'])
    for (const limit of ['0', '101']) assert.equal((await admin.client['list-files']({ params: { id }, query: { limit } })).status, 400)
  })

  test('are for those who may write the file', async () => {
    await exchange()
    const [reader, writer, manager, stranger] = [
      await somebodyWith('READ'),
      await somebodyWith('WRITE'),
      await somebodyWith('ADMIN'),
      await person(),
    ]
    const calls = ({ client }: Person) => [
      client['list-files']({ params: { id } }),
      client['get-file-download-location']({ params: { id, number: 1 } }),
      client['note-file']({ params: { id, number: 1 }, body: { comment: 'Mine' } }),
      client['restore-file']({ params: { id, number: 1 }, body: {} }),
      client['delete-file']({ params: { id, number: 1 } }),
    ]
    const statuses = async (caller: Person) => (await Promise.all(calls(caller))).map(({ status }) => status)
    assert.deepEqual(await statuses(stranger), [404, 404, 404, 404, 404])
    assert.deepEqual(await statuses(reader), [403, 403, 403, 403, 403])
    assert.deepEqual(await statuses(writer), [200, 200, 200, 200, 403])
    assert.equal((await remove(1, manager)).status, 200)
  })

  test('are downloaded untouched, each under its own name', async () => {
    const { file_md5 } = await document()
    await admin.client['set-title']({ params: { id }, body: { en: 'Title' } })
    await exchange({ filename: 'second.jpg' })
    const failed = await failNumber(accounts.table, id)
    const locate = (number: number) => admin.client['get-file-download-location']({ params: { id, number } })
    const { url, ...said } = (await locate(1)).body
    assert.deepEqual(said, { method: 'GET', internal_elb_url: url, metadata_written: false, reason: 'original_requested' })
    const answer = await fetch(url)
    assert.match(answer.headers.get('content-disposition')!, /filename="first\.jpg"/)
    assert.equal(
      createHash('md5')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex'),
      file_md5,
    )
    assert.deepEqual(codeOf(await locate(failed)), [409, 'not_available'])
    assert.deepEqual(codeOf(await locate(9)), [404, 'file_not_found'])
    assert.equal((await locate(0)).status, 404)
  })

  test('have comments and pins, which are no change of the file', async () => {
    await exchange()
    const before = await document()
    for (const number of [1, 2]) {
      const noted = await note(number, { comment: ' The re\u0301touched\none ', pinned: true })
      assert.deepEqual([noted.body.number, noted.body.comment, noted.body.pinned], [number, 'The r\u00e9touched\none', true])
      assert.deepEqual((await note(number, { pinned: false })).body.comment, 'The r\u00e9touched\none')
      assert.deepEqual((await note(number, { comment: '' })).body.comment, null)
      await note(number, { comment: 'Again' })
      assert.deepEqual((await note(number, { comment: null })).body.comment, null, 'as an entry says it')
      await Promise.all([note(number, { comment: 'One' }), note(number, { pinned: true })])
      const { comment, pinned } = (await note(number, {})).body
      assert.deepEqual([comment, pinned], ['One', true], 'of two notes at once none is lost')
      assert.equal((await note(number, { comment: '\u{1F600}'.repeat(2_000) })).status, 200)
    }
    assert.deepEqual(
      (await list()).files.map(({ comment }) => comment?.length),
      [4_000, 4_000],
    )
    for (const comment of ['x'.repeat(2_001), 'a\u0000b', 7]) assert.equal((await note(1, { comment })).status, 400)
    assert.equal((await note(9, { pinned: true })).status, 404)
    assert.deepEqual(await document(), before)
    assert.equal(await version(), 2)
    await admin.client['set-title']({ params: { id }, body: { en: 'Title' } })
    const told = async () => {
      const { events } = (await admin.client['list-events']({})).body
      return events.filter(({ data }) => 'media_id' in data && data.media_id === id).map(({ type }) => type)
    }
    await expect.poll(told, { timeout: 50_000 }).toEqual(['media.created', 'media.replaced', 'media.updated'])
  })

  test('become current again by a step of the version, and copy nothing', async () => {
    const first = await document()
    await admin.client['set-title']({ params: { id }, body: { en: 'Title' } })
    await exchange({ filename: 'second.jpg', md5: 'a'.repeat(32), bytes: 5 })
    const usage = async () => (await admin.client['get-company-disk-usage']({ params: { id: companyId } })).body
    assert.deepEqual(await usage(), { bytes: first.file_disksize + 5, files: 1, version_bytes: first.file_disksize })
    const restored = await restore(1, { comment: 'The old one' })
    assert.deepEqual(restored.body, { file_number: 3, version: 4 })
    const after = await document()
    assert.deepEqual(
      [after.filename, after.file_md5, after.file_number, after.metadata.title],
      ['first.jpg', first.file_md5, 3, { en: 'Title' }],
    )
    assert.deepEqual(await usage(), { bytes: first.file_disksize + 5, files: 1, version_bytes: 5 })
    assert.deepEqual((await admin.client['get-user-disk-usage']({ params: { id: admin.userId } })).body, {
      bytes: first.file_disksize + 5,
      files: 1,
      version_bytes: 5,
    })
    const [newest] = (await list()).files
    assert.deepEqual([newest?.number, newest?.comment, newest?.current], [3, 'The old one', true])
    const exists = async (md5: string) => (await admin.client['find-existing-media']({ body: { md5: [md5] } })).body.found
    assert.deepEqual([await exists(first.file_md5), await exists('a'.repeat(32))], [{ [first.file_md5]: [id] }, {}])
    const tags = (await admin.client['get-tags']({ params: { id } })).body
    assert.ok('EXIF' in tags || 'File' in tags)
  })

  test('are noted and deleted on the version alone that If-Match names', async () => {
    await exchange()
    const params = { id, number: 1 }
    const changes = (tag: string) => [
      () => admin.client['note-file']({ params, body: { comment: tag, pinned: tag !== '"2"' }, init: { headers: { 'If-Match': tag } } }),
      () => admin.client['delete-file']({ params, init: { headers: { 'If-Match': tag } } }),
    ]
    const before = (await list()).files
    for (const change of changes('"1"')) assert.deepEqual(codeOf(await change()), [412, 'version_mismatch'])
    assert.deepEqual((await list()).files, before)
    for (const change of changes('"2"')) assert.equal((await change()).status, 200)
    assert.deepEqual(await numbers(), [2])
  })

  test('are what everything shows, whichever is current', async () => {
    const png = await images['plain.png']()
    const form = (await admin.client['register-upload']({ body: { replaces: id, comment: 'In another format' } })).body
    await fetch((await postForm(form, png, 'second.png')).headers.get('location')!)
    await expect.poll(async () => (await document()).file_number, { timeout: 120_000, interval: 200 }).toBe(2)
    const shown = async () => {
      const query = { unique_media_id: [id], return_values: ['filename', 'file_number', 'file_mimetype'] }
      const tags = (await admin.client['get-tags']({ params: { id } })).body as { File?: { MIMEType?: string } }
      return { ...(await admin.client['search-media']({ query })).body.response.media[0], tagged: tags.File?.MIMEType }
    }
    const bytesOf = async (number: number) => {
      const { url } = (await admin.client['get-file-download-location']({ params: { id, number } })).body
      return Buffer.from(await (await fetch(url)).arrayBuffer())
    }
    const first = { filename: 'first.jpg', file_mimetype: 'image/jpeg', tagged: 'image/jpeg' }
    const second = { filename: 'second.png', file_mimetype: 'image/png', tagged: 'image/png' }
    await expect.poll(shown, { timeout: 60_000 }).toEqual({ ...second, file_number: 2 })
    await restore(1)
    await expect.poll(shown, { timeout: 60_000 }).toEqual({ ...first, file_number: 3 })
    const { files } = await list()
    assert.deepEqual(
      files.map(({ number, filename, comment }) => [number, filename, comment]),
      [
        [3, 'first.jpg', null],
        [2, 'second.png', 'In another format'],
        [1, 'first.jpg', null],
      ],
    )
    for (const { preview_url } of files) assert.equal((await fetch(preview_url!)).status, 200)
    assert.deepEqual(await bytesOf(2), png)
    assert.deepEqual([await bytesOf(1), await bytesOf(3)], [await images['plain.jpg'](), await images['plain.jpg']()].map(Buffer.from))
  })

  test('do not become current where that is refused', async () => {
    await exchange()
    const failed = await failNumber(accounts.table, id)
    assert.deepEqual(codeOf(await restore(2)), [409, 'current_file'])
    assert.deepEqual(codeOf(await restore(failed)), [409, 'not_available'])
    assert.deepEqual(codeOf(await restore(9)), [404, 'file_not_found'])
    assert.deepEqual(codeOf(await restore(1, { if_version: 1 })), [412, 'version_mismatch'])
    assert.deepEqual(codeOf(await restore(1, {}, { 'If-Match': '"1"' })), [412, 'version_mismatch'])
    assert.equal((await document()).file_number, 2)
    const { body } = await restore(1, { if_version: 2 }, { 'Idempotency-Key': 'again', 'If-Match': '"2"' })
    assert.deepEqual(body, { file_number: 4, version: 3 })
    const again = await restore(1, { if_version: 2 }, { 'Idempotency-Key': 'again', 'If-Match': '"2"' })
    assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [body, 'true'])
    assert.deepEqual((await restore(1)).body, { media_id: id, unchanged: true })
    assert.equal(await version(), 3)
    await admin.client['move-media-to-trash']({ params: { id, folderId: folder } })
    assert.deepEqual(codeOf(await restore(2)), [409, 'trashed'])
  })

  test('are deleted for good, and their numbers are not used again', async () => {
    const { file_disksize: bytes } = await document()
    await exchange({ bytes: 5 })
    const { url } = (await admin.client['get-file-download-location']({ params: { id, number: 1 } })).body
    await restore(1)
    await exchange({ bytes: 7 })
    const usage = async () => (await admin.client['get-company-disk-usage']({ params: { id: companyId } })).body
    assert.deepEqual(codeOf(await remove(4)), [409, 'current_file'])
    await note(1, { pinned: true })
    assert.deepEqual(codeOf(await remove(1)), [409, 'pinned'])
    await note(1, { pinned: false })
    assert.equal((await remove(1)).status, 200)
    assert.deepEqual(codeOf(await remove(1)), [404, 'file_not_found'])
    assert.deepEqual(await usage(), { bytes: bytes + 12, files: 1, version_bytes: bytes + 5 }, 'number 3 has its bytes')
    assert.equal((await fetch(url)).status, 200)
    assert.equal((await remove(3)).status, 200)
    assert.equal((await remove(2)).status, 200)
    assert.deepEqual(await usage(), { bytes: 7, files: 1, version_bytes: 0 })
    await exchange()
    assert.deepEqual(await numbers(), [5, 4])
    const deadline = Date.now() + 60_000
    while ((await fetch(url)).status === 200) assert.ok(Date.now() < deadline, 'its bytes go')
  })
})
