import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { setQuota } from '../../shared/library/quota/quota.ts'
import type { Person } from '../support/service-with-accounts.ts'
import { serviceWithShares } from '../support/service-with-shares.ts'
import { imported, postForm, putPartsTo } from '../support/uploading.ts'

type Body = Record<string, unknown>

describe('share links', async () => {
  const { accounts, anybody, client, folder, make, maker, person, service, shown } = await serviceWithShares()
  const root = await folder('Press')

  describe('with uploads', () => {
    const bytes = Buffer.from('a story from outside')
    const md5 = createHash('md5').update(bytes).digest('hex')

    const inbox = async (by: Person = maker) => {
      const into = await folder('Inbox')
      if (by !== maker) await accounts.grant(into, by.userId, ['READ', 'WRITE'])
      return { into, ...(await make({ folder_id: into, allow: { upload: true } }, by)) }
    }
    const sendForm = async (secret: string, filename: string) => {
      const form = await anybody['register-shared-upload']({ params: { secret } })
      assert.equal(form.status, 200, JSON.stringify(form.body))
      const posted = await postForm(form.body, bytes, filename)
      assert.equal(posted.status, 303)
      return fetch(posted.headers.get('location')!)
    }
    const begin = (secret: string, filename = 'story.txt') =>
      anybody['begin-shared-multipart-upload']({ params: { secret }, body: { filename, bytes: bytes.length, md5 } })
    const put = async (params: { secret: string; uploadId: string }, content: Buffer) => {
      const { body } = await anybody['get-shared-part-urls']({ params, body: { parts: [1] } })
      await putPartsTo(body.urls, 8 * 1024 ** 2, content)
    }
    const begun = async (secret: string) => {
      const params = { secret, uploadId: (await begin(secret)).body.upload_id }
      await put(params, bytes)
      return params
    }
    const complete = (params: { secret: string; uploadId: string }) => anybody['complete-shared-multipart-upload']({ params, body: {} })

    test("take files by forms and in parts, which are their maker's and say where they come from", async () => {
      const { cursor } = (await client['list-events']({ query: { cursor: 'now' } })).body
      const { id, into, secret } = await inbox()
      const finalized = await sendForm(secret, '../../C:\\evil\\\u202e<b>form.txt')
      assert.equal(finalized.status, 200)
      const ids = [((await finalized.json()) as { media_id: number }).media_id]
      const started = await begin(secret, '/etc/passwd')
      assert.ok(!('existing' in started.body))
      const params = { secret, uploadId: started.body.upload_id }
      const state = async () => (await anybody['get-shared-multipart-upload']({ params })).body
      assert.deepEqual([(await state()).state, (await state()).filename], ['open', 'passwd'])
      assert.equal((await complete(params)).status, 409)
      await put(params, Buffer.from('A story from outside'))
      assert.equal((await complete(params)).status, 422)
      // Twice: the last one counts.
      await put(params, bytes)
      ids.push((await complete(params)).body.media_id, (await complete(params)).body.media_id)
      assert.equal(ids[1], ids[2])
      for (const media of ids) {
        const document = (await imported(client, media)) as Body
        assert.deepEqual([document.uploaded_by, document.uploaded_via, document.file_md5], [maker.userId, { share_id: id }, md5])
        assert.doesNotMatch(String(document.filename), /[/\\]/)
      }
      assert.equal((await client['get-share']({ params: { shareId: id } })).body.uploads, 2)
      await expect.poll(async () => (await shown(secret)).toSorted(), { timeout: 60_000 }).toEqual([...new Set(ids)].toSorted())
      const told = async () =>
        (await client['list-events']({ query: { cursor, types: 'media.created', folder_ids: [into] } })).body.events.map(
          ({ actor, data }) => [actor.user_id, data.share_id],
        )
      await expect.poll(told, { timeout: 60_000 }).toEqual([
        [maker.userId, id],
        [maker.userId, id],
      ])
    })

    test('take none where they do not say so, nor into another folder', async () => {
      const lookOnly = await make({ folder_id: root })
      for (const { status, body } of [
        await begin(lookOnly.secret),
        await anybody['register-shared-upload']({ params: { secret: lookOnly.secret } }),
      ]) {
        assert.deepEqual([status, (body as unknown as { code: string }).code], [403, 'uploads_not_allowed'])
      }
      const { secret } = await inbox()
      const replacing = { replaces: 1 } as never
      for (const { status } of [
        await anybody['begin-shared-multipart-upload']({
          params: { secret },
          body: { filename: 'x.txt', bytes: 1, ...(replacing as object) },
        }),
        await anybody['register-shared-upload']({ params: { secret }, body: replacing }),
      ]) {
        assert.equal(status, 400)
      }
      const elsewhereToo = { filename: 'x.txt', bytes: 1, folder: root } as never
      const started = await anybody['begin-shared-multipart-upload']({ params: { secret }, body: elsewhereToo })
      const params = { secret, uploadId: started.body.upload_id }
      await put(params, Buffer.from('x'))
      const { media_id } = (await complete(params)).body
      assert.equal(
        (await client['list-media-folders']({ params: { id: media_id } })).body.some(({ group_id }) => group_id === root),
        false,
      )
    })

    test('make no file of what was begun before their maker might upload no more, or they ended', async () => {
      const sender = await person()
      const { id, into, secret } = await inbox(sender)
      const [parts, abandoned] = [await begun(secret), await begun(secret)]
      const form = (await anybody['register-shared-upload']({ params: { secret } })).body
      const posted = (await postForm(form, bytes, 'late.txt')).headers.get('location')!
      await accounts.grant(into, sender.userId, ['READ'])
      assert.deepEqual([(await complete(parts)).status, (await fetch(posted)).status, (await begin(secret)).status], [403, 403, 403])
      await accounts.grant(into, sender.userId, ['READ', 'WRITE'])
      assert.equal((await complete(parts)).status, 200)
      assert.equal((await sender.client['delete-share']({ params: { shareId: id } })).status, 200)
      assert.deepEqual([(await complete(abandoned)).status, (await fetch(posted)).status, (await begin(secret)).status], [404, 404, 404])
    })

    test("take no room of a company's quota before something comes, and give it back when their maker or an admin ends it", async () => {
      const companyId = await accounts.company('Harbour')
      const [admin, sharer, member] = [await person({ companyId, admin: true }), await person({ companyId }), await person({ companyId })]
      await setQuota(accounts.library, companyId, 100)
      const { id: into } = (await sharer.client['create-folder']({ body: { name: 'Inbox' } })).body
      const { id: own } = (await member.client['create-folder']({ body: { name: 'Own' } })).body
      const { id, secret } = await make({ folder_id: into, allow: { upload: true } }, sharer)
      const begin = async (size: number) =>
        (await anybody['begin-shared-multipart-upload']({ params: { secret }, body: { filename: 'film.bin', bytes: size } })).body.upload_id
      const urls = async (uploadId: string) =>
        (await anybody['get-shared-part-urls']({ params: { secret, uploadId }, body: { parts: [1] } })).status
      const reserved = async () => (await admin.client['get-company-disk-usage']({ params: { id: companyId } })).body.reserved_bytes
      const open = async (by: Person) => (await by.client['get-share']({ params: { shareId: id } })).body.open_uploads!

      const silent = await begin(100)
      await Promise.all(Array.from({ length: 5 }, () => begin(100)))
      assert.equal(await reserved(), 0)
      const { upload_id: uploadId } = (
        await member.client['begin-multipart-upload']({ body: { folder: own, filename: 'mine.bin', bytes: 40 } })
      ).body
      assert.equal(await urls(silent), 409)
      const small = await begin(60)
      assert.deepEqual([await urls(small), await reserved()], [200, 100])

      const listed = (await open(sharer)).find((each) => each.upload_id === small)
      assert.deepEqual([listed?.filename, listed?.bytes, listed?.reserved_bytes], ['film.bin', 60, 60])
      assert.ok(Date.parse(listed!.expires) <= Date.now() + 86_400_000)
      assert.equal((await member.client['abort-multipart-upload']({ params: { uploadId: small } })).status, 404)
      assert.equal((await sharer.client['abort-multipart-upload']({ params: { uploadId } })).status, 404)
      const form = (await anybody['register-shared-upload']({ params: { secret } })).body
      const [registered] = (await open(admin)).filter(({ filename }) => filename === null)
      assert.deepEqual([registered?.bytes, registered?.reserved_bytes], [null, 0])
      const posted = (await postForm(form, bytes, 'late.txt')).headers.get('location')!
      for (const [by, upload] of [
        [sharer, small],
        [admin, silent],
        [admin, registered!.upload_id],
      ] as const) {
        assert.equal((await by.client['abort-multipart-upload']({ params: { uploadId: upload } })).status, 200)
        assert.ok(!(await open(by)).some((each) => each.upload_id === upload))
      }
      assert.deepEqual([await reserved(), await urls(small), (await fetch(posted)).status], [40, 404, 404])

      const last = await begin(60)
      assert.deepEqual([await urls(last), await reserved()], [200, 100])
      await admin.client['renew-share-secret']({ params: { shareId: id } })
      await expect.poll(reserved, { timeout: 60_000 }).toBe(40)
      assert.deepEqual(await open(sharer), [])
    })

    test('show an upload to nobody but who has the link and its id', async () => {
      const [one, other] = [await inbox(), await inbox()]
      const params = await begun(one.secret)
      const { uploadId } = params
      assert.equal((await complete({ ...params, secret: other.secret })).status, 404)
      assert.equal((await client['get-multipart-upload']({ params: { uploadId } })).status, 404)
      assert.equal((await client['complete-multipart-upload']({ params: { uploadId }, body: {} })).status, 404)
      assert.equal((await anybody['abort-shared-multipart-upload']({ params })).status, 200)
      assert.equal((await complete(params)).status, 404)
    })

    test('ask those who come by a former password for the new one, in the middle of what they send', async () => {
      const into = await folder('Inbox')
      const { id, secret } = await make({ folder_id: into, allow: { upload: true } })
      const [params, form] = [await begun(secret), (await anybody['register-shared-upload']({ params: { secret } })).body]
      await client['change-share']({ params: { shareId: id }, body: { password: 'open sesame' } })
      const posted = (await postForm(form, bytes, 'late.txt')).headers.get('location')!
      const code = ({ body }: { body: unknown }) => (body as { code: string }).code
      const answers = [
        await begin(secret),
        await anybody['register-shared-upload']({ params: { secret } }),
        await anybody['get-shared-part-urls']({ params, body: { parts: [1] } }),
        await anybody['get-shared-multipart-upload']({ params }),
        await complete(params),
        await anybody['abort-shared-multipart-upload']({ params }),
        { body: await (await fetch(posted)).json() },
      ]
      assert.deepEqual(new Set(answers.map(code)), new Set(['password_required']))
      const opened = await anybody['unlock-shared']({ params: { secret }, body: { password: 'open sesame' } })
      const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
      const path = `/s/${secret}/upload/multipart/${params.uploadId}/complete`
      const completed = await service.request(path, { method: 'POST', headers: { cookie }, body: '{}' })
      assert.equal(completed.status, 200)
      assert.equal((await client['get-share']({ params: { shareId: id } })).body.uploads, 1)
    })
  })
})
