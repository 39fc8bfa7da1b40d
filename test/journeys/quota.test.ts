import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test, vi } from 'vitest'
import { setQuota } from '../../shared/library/quota/quota.ts'
import { mailOutOfReach, mailsTo } from '../support/mail.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { imported, postForm, putParts, uploadAndImport } from '../support/uploading.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }

describe('a quota', async () => {
  const { accounts, person, service } = await serviceWithAccounts()

  async function company() {
    const companyId = await accounts.company('Harbour')
    const admin = await person({ companyId, admin: true, username: `admin-${randomUUID()}@example.com` })
    const reader = await person({ companyId })
    const { id: folder } = (await admin.client['create-folder']({ body: { name: 'Folder' } })).body
    const usage = async () => (await admin.client['get-company-disk-usage']({ params: { id: companyId } })).body
    return { companyId, admin, reader, folder, usage, limit: (bytes?: number) => setQuota(accounts.library, companyId, bytes) }
  }

  const steps = async ({ client }: Person) =>
    (await client['list-events']({ query: { types: ['company.quota'] } })).body.events.map(({ data }) => data)

  test('is told by disk usage, and refuses uploads of a size that finds no room', async () => {
    const { admin, folder, usage, limit } = await company()
    assert.deepEqual(await usage(), { bytes: 0, files: 0, version_bytes: 0 })
    await limit(100)
    const begin = (bytes: number) => admin.client['begin-multipart-upload']({ body: { folder, filename: 'film.bin', bytes } })
    const { upload_id: uploadId, part_bytes } = (await begin(60)).body
    const refused = await begin(50)
    assert.deepEqual([refused.status, (refused.body as unknown as { code: string }).code], [409, 'quota_exceeded'])
    assert.deepEqual(await usage(), { bytes: 0, files: 0, version_bytes: 0, quota_bytes: 100, reserved_bytes: 60 })
    await putParts(admin.client, uploadId, part_bytes, Buffer.alloc(60))
    const { media_id: id } = (await admin.client['complete-multipart-upload']({ params: { uploadId }, body: {} })).body
    await imported(admin.client, id)
    assert.deepEqual(await usage(), { bytes: 60, files: 1, version_bytes: 0, quota_bytes: 100, reserved_bytes: 0 })
    assert.equal((await begin(41)).status, 409)
    await admin.client['move-media-to-trash']({ params: { id, folderId: folder } })
    assert.equal((await begin(41)).status, 409, 'trash counts')
    await limit()
    assert.equal((await begin(41)).status, 200)
  })

  test('holds a posted file until there is room, and then makes it a file by itself', mailOutOfReach, async () => {
    const { admin, reader, folder, usage, limit, companyId } = await company()
    await limit(100)
    const { id: first } = await uploadAndImport(admin.client, folder, Buffer.alloc(85), 'first.bin')
    await vi.waitFor(async () => assert.deepEqual(await steps(admin), [{ percent: 80, bytes: 85, quota_bytes: 100 }]), PATIENCE)
    const form = (await admin.client['register-upload']({ body: { folder } })).body
    const location = (await postForm(form, Buffer.alloc(40), 'second.bin')).headers.get('location')!
    const held = await fetch(location)
    const answer = (await held.json()) as { code: string; message: string; quota_bytes: number; held_until: string }
    assert.deepEqual([held.status, answer.code, answer.quota_bytes], [409, 'quota_exceeded', 100])
    assert.match(answer.message, new RegExp(`kept until ${answer.held_until}`))
    assert.deepEqual(await usage(), { bytes: 85, files: 1, version_bytes: 0, quota_bytes: 100, reserved_bytes: 0 })
    await vi.waitFor(
      async () =>
        assert.deepEqual(
          (await steps(admin)).map(({ percent }) => percent),
          [80, 100],
        ),
      PATIENCE,
    )
    assert.deepEqual(await steps(reader), [], 'admins are told')
    const mails = await mailsTo(admin.username, service, 2)
    assert.equal(mails.length, 2)
    assert.match(mails.join('\n'), /take 85 of 100 bytes[\s\S]*is full/)

    await admin.client['remove-media']({ params: { id: Number(first), folderId: folder } })
    await setQuota(accounts.library, companyId, 101)
    await vi.waitFor(
      async () => assert.deepEqual(await usage(), { bytes: 40, files: 1, version_bytes: 0, quota_bytes: 101, reserved_bytes: 0 }),
      PATIENCE,
    )
    const { media_id } = (await (await fetch(location)).json()) as { media_id: number }
    assert.equal((await imported(admin.client, media_id)).filename, 'second.bin')
  })
})
