import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, test } from 'vitest'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { images } from '../support/pictures/index.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { imported, postForm, putParts, upload, uploadAndImport } from '../support/uploading.ts'

const { accounts, person } = await serviceWithAccounts()

const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code]
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
/** A picture that differs from others by its last byte. */
const picture = async (n: number) => Buffer.concat([await images['plain.jpg'](), Buffer.from([n])])

describe('replacing a file', () => {
  let companyId: CompanyId
  let owner: Person
  let folder: number
  let id: number
  beforeEach(async () => {
    companyId = await accounts.company('Company')
    owner = await person({ companyId, admin: true })
    folder = (await owner.client['create-folder']({ body: { name: 'Folder' } })).body.id
    id = (await uploadAndImport(owner.client, folder, await picture(0), 'first.jpg')).id
  })

  type Said = NonNullable<NonNullable<Parameters<Person['client']['register-upload']>[0]>['body']>
  const register = (said: Partial<Said> = {}, { client } = owner, headers: Record<string, string> = {}) =>
    client['register-upload']({ body: { replaces: id, ...said }, init: { headers } })
  const begin = (said: Partial<Said> & { bytes?: number } = {}, { client } = owner, headers: Record<string, string> = {}) =>
    client['begin-multipart-upload']({ body: { replaces: id, filename: 'parts.jpg', bytes: 10, ...said }, init: { headers } })
  /** Posts a form, and follows storage to the finalizing. */
  const post = async (bytes: Buffer, said: Partial<Said> = {}) => {
    const posted = await postForm((await register(said)).body, bytes, 'form.jpg')
    return fetch(posted.headers.get('location')!, { redirect: 'manual' })
  }
  const document = async () => (await owner.client['get-media']({ params: { id } })).body
  /** The document once a number is current. While the import runs, it is that of the file before. */
  const until = async (number: number) => {
    for (let media = await document(); ; media = await document()) {
      if (media.file_number === number) return media
      assert.equal(media.file_number, number - 1)
      await sleep(50)
    }
  }
  const downloaded = async () => {
    const { body } = await owner.client['get-download-location']({ params: { id }, query: { original: '1' } })
    return Buffer.from(await (await fetch(body.url)).arrayBuffer())
  }

  test('by a form and in parts gives it other bytes and the next number; id, folder and metadata stay', async () => {
    await owner.client['set-title']({ params: { id }, body: { en: 'Harbour' } })
    const [second, third] = [await picture(1), await picture(2)]
    const finalized = await post(second, { comment: ' Brighter ' })
    assert.deepEqual([finalized.status, await finalized.json()], [200, { media_id: id }])
    const media = await until(2)
    assert.deepEqual([media.filename, media.file_md5, media.metadata.title], ['form.jpg', md5Of(second), { en: 'Harbour' }])
    assert.ok((await downloaded()).equals(second))

    const headers = { 'If-Match': '"3"' }
    const { client } = owner
    const body = { replaces: id, filename: 'parts.jpg', bytes: third.length, md5: md5Of(third), if_version: 3 }
    const begun = (await client['begin-multipart-upload']({ body, init: { headers } })).body
    await putParts(client, begun.upload_id, begun.part_bytes, third)
    const params = { uploadId: begun.upload_id }
    const complete = async () => (await client['complete-multipart-upload']({ params, body: {} })).body
    assert.deepEqual([await complete(), await complete()], [{ media_id: id }, { media_id: id }])
    assert.equal((await client['get-multipart-upload']({ params })).body.media_id, id)
    assert.equal((await until(3)).filename, 'parts.jpg')
    assert.ok((await downloaded()).equals(third))
    const { files } = (await client['list-files']({ params: { id } })).body
    assert.deepEqual(
      files.map(({ number, current, comment, file_md5 }) => ({ number, current, comment, file_md5 })),
      [
        { number: 3, current: true, comment: null, file_md5: md5Of(third) },
        { number: 2, current: false, comment: 'Brighter', file_md5: md5Of(second) },
        { number: 1, current: false, comment: null, file_md5: md5Of(await picture(0)) },
      ],
    )
  })

  test('by the bytes that it has says so, to who is redirected, too', async () => {
    const before = await document()
    const finalized = await post(await picture(0))
    assert.deepEqual(await finalized.json(), { media_id: id, unchanged: true })
    const redirected = await post(await picture(0), { redirectURL: 'https://client.example/done?a=1' })
    assert.equal(redirected.headers.get('location'), `https://client.example/done?a=1&media_id=${id}&unchanged=true`)
    const bytes = await picture(0)
    const { upload_id: uploadId, part_bytes } = (await begin({ bytes: bytes.length })).body
    await putParts(owner.client, uploadId, part_bytes, bytes)
    const complete = () =>
      owner.client['complete-multipart-upload']({ params: { uploadId }, body: {}, init: { headers: { 'Idempotency-Key': uploadId } } })
    const answers = [...(await Promise.all([complete(), complete()])), await complete()]
    for (const { status, body } of answers) if (status !== 409) assert.deepEqual(body, { media_id: id, unchanged: true })
    assert.equal(answers.at(-1)!.status, 200)
    assert.deepEqual({ ...(await document()), thumbnail_url: '' }, { ...before, thumbnail_url: '' })
  })

  test('by another type is refused at the end, and the old one stays', async () => {
    const finalized = await post(Buffer.from('text'))
    assert.deepEqual(codeOf({ status: finalized.status, body: await finalized.json() }), [422, 'media_type_differs'])
    assert.equal((await document()).file_number, 1)
  })

  test('is refused at the start for what it says, for a version, and where there is none to replace', async () => {
    const wrong: Partial<Said>[] = [{ comment: 'a'.repeat(2_001) }, { comment: 'a\u0007' }, { if_version: 0 }, { replaces: 0 }]
    const outsider = await person()
    const importing = await upload(owner.client, folder, await picture(3), 'third.jpg')
    for (const start of [register, begin]) {
      for (const said of wrong) assert.equal((await start(said)).status, 400, JSON.stringify(said))
      assert.deepEqual(codeOf(await start({}, owner, { 'If-Match': '"7"' })), [412, 'version_mismatch'])
      assert.deepEqual(codeOf(await start({ replaces: 1 })), [404, 'media_not_found'])
      assert.deepEqual(codeOf(await start({}, outsider)), [404, 'media_not_found'])
      const early = await start({ replaces: importing })
      if ((await owner.client['get-media']({ params: { id: importing } })).status === 202) {
        assert.deepEqual(codeOf(early), [409, 'importing'])
      }
    }
    await imported(owner.client, importing)
    for (const nowhere of [{}, { folder: null }]) {
      const { status, body } = await owner.client['register-upload']({ body: nowhere })
      assert.deepEqual([status, (body as unknown as { message: string }).message], [400, 'folder is missing.'])
    }
  })

  test('ignores the folder that comes along, and that there is none', async () => {
    const elsewhere = await person()
    const theirs = (await elsewhere.client['create-folder']({ body: { name: 'Theirs' } })).body.id
    for (const ignored of [null, theirs]) {
      const statuses = [await register({ folder: ignored }), await begin({ folder: ignored })].map(({ status }) => status)
      assert.deepEqual(statuses, [200, 200])
    }
  })

  test('in trashcans alone is refused, until it is restored', async () => {
    const inTime = (await register()).body
    await owner.client['move-media-to-trash']({ params: { id, folderId: folder } })
    assert.deepEqual(codeOf(await register()), [409, 'trashed'])
    assert.deepEqual(codeOf(await begin()), [409, 'trashed'])
    const address = (await postForm(inTime, await picture(1), 'form.jpg')).headers.get('location')!
    const finalize = async () => {
      const answer = await fetch(address)
      return codeOf({ status: answer.status, body: await answer.json() })
    }
    assert.deepEqual(await finalize(), [409, 'trashed'])
    const trash = (await owner.client['list-folders']({})).body.find(({ permissions }) => permissions.groups.includes('TRASH'))!
    await owner.client['restore-media']({ params: { id }, body: { from: trash.id } })
    assert.deepEqual(await finalize(), [200, undefined])
    await until(2)
  })

  test('takes more than a read-only copy of it', async () => {
    const member = await person({ companyId })
    await accounts.grant(folder, member.userId, ['READ'])
    const own = (await member.client['create-folder']({ body: { name: 'Own', company_id: companyId } })).body.id
    await member.client['copy-media']({ params: { id, folderId: own } })
    assert.deepEqual(codeOf(await register({}, member)), [403, 'forbidden'])
  })
})
