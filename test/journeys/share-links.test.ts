import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { disableUser } from '../../shared/library/accounts/admins.ts'
import { enableUser } from '../../shared/library/accounts/users.ts'
import { images } from '../support/pictures/index.ts'
import { elsewhere, emulatorLimit } from '../support/service.ts'
import type { Person } from '../support/service-with-accounts.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { unzipped } from '../support/unzipped.ts'
import { imported, postForm, putPartsTo, uploadAndImport } from '../support/uploading.ts'
import { testVideo, withVideos } from '../support/videos.ts'

type Body = Record<string, unknown>

describe('share links', async () => {
  const { person, accounts, service } = await serviceWithAccounts()
  const anybody = await service.client('')
  /** Of cookies, besides their names and paths. */
  const flags = service.stack === undefined ? 'HttpOnly; SameSite=Lax' : 'Secure; HttpOnly; SameSite=Lax'
  const maker = await person()
  const { client } = maker
  const folder = async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id
  const picture = async (into: number, name: string) => Number((await uploadAndImport(client, into, await images['plain.jpg'](), name)).id)
  const root = await folder('Press')
  const below = await folder('Below', root)
  const outside = await folder('Outside')
  const [inRoot, inBelow, inOutside] = [await picture(root, 'a.jpg'), await picture(below, 'b.jpg'), await picture(outside, 'c.jpg')]

  const make = async (body: Body, by: Person = maker) => {
    const { status, body: made } = await by.client['create-share']({ body: body as never })
    assert.equal(status, 200, JSON.stringify(made))
    return { ...made, secret: made.url!.split('/').at(-1)! }
  }
  const contents = (secret: string, query: Record<string, number> = {}) => anybody['list-shared']({ params: { secret }, query })
  const statusOf = async (secret: string) => (await contents(secret)).status
  const shown = async (secret: string, query: Record<string, number> = {}) => (await contents(secret, query)).body.files.map(({ id }) => id)

  test('show a folder with what lies below it, and nothing else', async () => {
    const { url, secret, ...share } = await make({ folder_id: root, title: 'For the press' })
    assert.match(url!, /\/s\/[\w-]{43}$/)
    const top = (await contents(secret)).body
    assert.deepEqual(
      [top.title, top.path.map(({ name }) => name), top.folders],
      ['For the press', ['Press'], [{ id: below, name: 'Below' }]],
    )
    assert.deepEqual(
      top.files.map(({ id, filename }) => [id, filename]),
      [[inRoot, 'a.jpg']],
    )
    assert.equal((await fetch(top.files[0]!.thumbnail_url)).status, 200)
    const sub = (await contents(secret, { folder_id: below })).body
    assert.deepEqual([sub.path.map(({ id }) => id), sub.files.map(({ id }) => id)], [[root, below], [inBelow]])
    for (const folder_id of [outside, 1]) assert.equal((await contents(secret, { folder_id })).status, 404)
    const look = (id: number) => anybody['show-shared-media']({ params: { secret, id } })
    assert.deepEqual(await Promise.all([inRoot, inBelow, inOutside, 1].map(async (id) => (await look(id)).status)), [200, 200, 404, 404])
    assert.deepEqual([share.allow, share.visits, share.has_password, share.expires], [{ download: 'none', upload: false }, 0, false, null])
  })

  test('come page by page', async () => {
    const { secret } = await make({ folder_id: root })
    await picture(root, 'z.jpg')
    const first = (await contents(secret, { count: 1 })).body
    assert.deepEqual([first.files.map(({ filename }) => filename), first.next], [['a.jpg'], 1])
    const second = (await contents(secret, { count: 1, offset: 1 })).body
    assert.deepEqual([second.files.map(({ filename }) => filename), second.next], [['z.jpg'], null])
  })

  test('show files, and what is left of them', async () => {
    const leaving = await picture(outside, 'leaving.jpg')
    const { secret, media_ids } = await make({ media_ids: [inOutside, leaving, inOutside] })
    assert.deepEqual(media_ids, [inOutside, leaving])
    assert.deepEqual((await make({ media_ids: Array.from({ length: 501 }, () => inOutside) })).media_ids, [inOutside])
    const tooMany = Array.from({ length: 501 }, (_, index) => index + 1)
    assert.equal((await client['create-share']({ body: { media_ids: tooMany } })).status, 400)
    assert.deepEqual(await shown(secret), [inOutside, leaving])
    assert.equal((await contents(secret, { folder_id: outside })).status, 404)
    assert.equal((await anybody['show-shared-media']({ params: { secret, id: inRoot } })).status, 404)
    await client['move-media-to-trash']({ params: { id: leaving, folderId: outside } })
    assert.deepEqual(await shown(secret), [inOutside])
    const other = await folder('Other')
    await client['move-media']({ params: { id: inOutside }, body: { from: outside, to: other } })
    assert.deepEqual(await shown(secret), [inOutside])
    await client['remove-media']({ params: { id: inOutside, folderId: other } })
    assert.equal(await statusOf(secret), 404)
  })

  test('end with the right of their maker, and come back with it', async () => {
    const owned = await folder('Owned')
    const inOwned = await picture(owned, 'owned.jpg')
    const reader = await person()
    await accounts.grant(owned, reader.userId, ['READ'])
    const links = [await make({ folder_id: owned }, reader), await make({ media_ids: [inOwned] }, reader)]
    const statuses = () => Promise.all(links.map(({ secret }) => statusOf(secret)))
    assert.deepEqual(await statuses(), [200, 200])
    await accounts.grant(owned, reader.userId, ['WRITE'])
    assert.deepEqual(await statuses(), [404, 404])
    await accounts.grant(owned, reader.userId, ['READ'])
    assert.deepEqual(await statuses(), [200, 200])
    await disableUser(accounts.library, reader.userId)
    assert.deepEqual(await statuses(), [404, 404])
    await enableUser(accounts.library, reader.userId)
    assert.deepEqual(await statuses(), [200, 200])
    await client['move-folder-to-trash']({ params: { id: owned } })
    assert.deepEqual(await statuses(), [404, 404])
    await client['restore-folder']({ params: { id: owned }, body: {} })
    assert.deepEqual(await statuses(), [200, 200])
    await client['delete-folder']({ params: { id: owned } })
    assert.deepEqual(await statuses(), [404, 404])
  })

  test('leave out what their maker has by a read-only copy', async () => {
    const [lent, own] = [await folder('Lent'), (await (await person()).client['create-folder']({ body: { name: 'x' } })).body.id]
    assert.ok(own)
    const borrower = await person()
    await accounts.grant(lent, borrower.userId, ['READ'])
    const file = await picture(lent, 'lent.jpg')
    const mine = (await borrower.client['create-folder']({ body: { name: 'Mine' } })).body.id
    assert.equal((await borrower.client['copy-media']({ params: { id: file, folderId: mine } })).status, 200)
    const ofFolder = await make({ folder_id: mine }, borrower)
    const ofFile = await make({ media_ids: [file] }, borrower)
    assert.deepEqual(await shown(ofFolder.secret), [])
    assert.equal((await anybody['show-shared-media']({ params: { secret: ofFolder.secret, id: file } })).status, 404)
    assert.deepEqual(await shown(ofFile.secret), [file])
    await accounts.grant(lent, borrower.userId, [])
    assert.equal(await statusOf(ofFile.secret), 404)
    assert.equal((await borrower.client['create-share']({ body: { media_ids: [file] } })).status, 403)
  })

  test('are refused without READ, for nothing or both, with an end in the past, and with uploads that may not be', async () => {
    const stranger = await person()
    const [uploadOnly, cdn] = [await folder('Inbox'), await accounts.cdnFolder()]
    await accounts.grant(uploadOnly, stranger.userId, ['UPLOAD'])
    await accounts.grant(cdn.folderId, maker.userId, ['READ', 'WRITE'])
    const refused = async (body: Body, by: Person = maker) => (await by.client['create-share']({ body: body as never })).status
    assert.equal(await refused({ folder_id: root }, stranger), 404)
    assert.equal(await refused({ media_ids: [inRoot] }, stranger), 404)
    assert.equal(await refused({ folder_id: uploadOnly }, stranger), 403)
    assert.equal(await refused({ media_ids: [inRoot, 1] }), 404)
    for (const body of [
      {},
      { folder_id: root, media_ids: [inRoot] },
      { media_ids: [] },
      { folder_id: root, expires: '2020-01-01T00:00:00Z' },
    ])
      assert.equal(await refused(body), 400, JSON.stringify(body))
    assert.equal(await refused({ media_ids: [inRoot], allow: { upload: true } }), 400)
    assert.equal(await refused({ folder_id: cdn.folderId, allow: { upload: true } }), 403)
    await accounts.grant(root, stranger.userId, ['READ'])
    assert.equal(await refused({ folder_id: root, allow: { upload: true } }, stranger), 403)
    const trashed = await folder('Trashed')
    await client['move-folder-to-trash']({ params: { id: trashed } })
    assert.equal(await refused({ folder_id: trashed }), 403)
  })

  test('end at their time to the second, and are opened again by a later one', async () => {
    const { id, secret } = await make({ folder_id: root, expires: new Date(Date.now() + 3_000).toISOString() })
    assert.equal(await statusOf(secret), 200)
    await expect.poll(() => statusOf(secret), { timeout: 30_000 }).toBe(404)
    const later = await client['change-share']({ params: { shareId: id }, body: { expires: '2090-01-01T00:00:00Z' } })
    assert.equal(later.body.expires, '2090-01-01T00:00:00Z')
    assert.equal(await statusOf(secret), 200)
    assert.equal((await client['change-share']({ params: { shareId: id }, body: { expires: null } })).body.expires, null)
  })

  test('ask for their password, whose change ends what it opened', async () => {
    const { id, secret } = await make({ folder_id: root, password: 'open sesame' })
    const ask = (password: string) => anybody['unlock-shared']({ params: { secret }, body: { password } })
    const locked = await contents(secret)
    assert.deepEqual([locked.status, (locked.body as Body & object as { code: string }).code], [403, 'password_required'])
    assert.equal((await ask('wrong')).status, 403)
    const opened = await ask('open sesame')
    const cookie = opened.headers.get('set-cookie')!
    assert.match(cookie, new RegExp(`^proof=[\\w-]{43}; Path=/s/${secret}; ${flags}$`))
    const withCookie = (path: string) => service.request(path, { headers: { cookie: cookie.split(';')[0]! } })
    assert.equal((await withCookie(`/s/${secret}/contents`)).status, 200)
    const other = await make({ folder_id: root, password: 'open sesame' })
    assert.equal((await withCookie(`/s/${other.secret}/contents`)).status, 403)
    await client['change-share']({ params: { shareId: id }, body: { password: 'another' } })
    assert.equal((await withCookie(`/s/${secret}/contents`)).status, 403)
    await client['change-share']({ params: { shareId: id }, body: { password: null } })
    assert.equal(await statusOf(secret), 200)
  })

  test('refuse a source after ten wrong passwords, and another link not', async () => {
    const [one, other] = [await make({ folder_id: root, password: 'right' }), await make({ folder_id: root, password: 'right' })]
    const ask = async ({ secret }: { secret: string }, password: string) =>
      (await anybody['unlock-shared']({ params: { secret }, body: { password } })).status
    for (let n = 0; n < 10; n++) assert.equal(await ask(one, `wrong ${n}`), 403)
    assert.equal(await ask(one, 'right'), 429)
    assert.equal(await ask(other, 'right'), 200)
  })

  test('are seen and changed by their maker and by admins alone', async () => {
    const [mate, admin] = [await person(), await person({ admin: true })]
    const { id, secret } = await make({ folder_id: root, message: 'Hello' })
    const params = { shareId: id }
    const listed = async (by: Person) => (await by.client['list-shares']()).body.shares.some((share) => share.id === id)
    assert.deepEqual([await listed(maker), await listed(admin), await listed(mate)], [true, true, false])
    assert.equal((await mate.client['get-share']({ params })).status, 404)
    assert.equal((await mate.client['change-share']({ params, body: { title: 'Mine' } })).status, 404)
    assert.equal((await mate.client['renew-share-secret']({ params })).status, 404)
    assert.equal((await mate.client['delete-share']({ params })).status, 404)
    const changed = await admin.client['change-share']({ params, body: { title: 'Theirs', allow: { download: 'original' } } })
    const { title, message, allow, user_id } = changed.body
    assert.deepEqual([title, message, allow, user_id], ['Theirs', 'Hello', { download: 'original', upload: false }, maker.userId])
    assert.ok(!JSON.stringify(await client['get-share']({ params })).includes(secret))
    const renewed = (await client['renew-share-secret']({ params })).body.url!.split('/').at(-1)!
    assert.deepEqual([await statusOf(secret), await statusOf(renewed)], [404, 200])
    assert.equal((await admin.client['delete-share']({ params })).status, 200)
    assert.deepEqual([await statusOf(renewed), (await client['get-share']({ params })).status, await listed(maker)], [404, 404, false])
  })

  test('lead to a page that counts its visits, and shows nothing before the password', async () => {
    const { id, secret } = await make({ folder_id: root, title: 'Secret title', password: 'open sesame' })
    const visits = async () => (await client['get-share']({ params: { shareId: id } })).body.visits
    const first = await service.request(`/s/${secret}`)
    assert.equal(first.status, 200)
    const html = await first.text()
    assert.doesNotMatch(html, /Secret title|Press|a\.jpg/)
    const { headers } = first
    assert.deepEqual([headers.get('referrer-policy'), headers.get('x-robots-tag')], ['no-referrer', 'noindex'])
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/)
    const cookie = headers.get('set-cookie')!
    assert.equal(cookie, `visit=1; Path=/s/${secret}; ${flags}`)
    assert.equal(await visits(), 1)
    const again = await service.request(`/s/${secret}`, { headers: { cookie: cookie.split(';')[0]! } })
    assert.deepEqual([again.status, again.headers.get('set-cookie'), await visits()], [200, null, 1])
    await service.request(`/s/${secret}`)
    assert.equal(await visits(), 2)
    assert.equal((await service.request(`/s/${'x'.repeat(43)}`)).status, 404)
  })

  test('let download nothing, renditions, or files, and count that', async () => {
    const links = await Promise.all(['none', 'preview', 'original'].map((download) => make({ folder_id: root, allow: { download } })))
    const download = ({ secret }: { secret: string }, id: number) => anybody['download-shared-media']({ params: { secret, id } })
    const [none, preview, original] = await Promise.all(links.map((link) => download(link, inRoot)))
    assert.equal(none!.status, 403)
    for (const { body } of [preview!, original!]) assert.equal((await fetch(body.url)).status, 200)
    assert.equal((await download(links[2]!, inOutside)).status, 404)
    const counted = await Promise.all(links.map(async ({ id }) => (await client['get-share']({ params: { shareId: id } })).body.downloads))
    assert.deepEqual(counted, [0, 1, 1])
  })

  test('name files that are downloaded as the library does', emulatorLimit('hands no name on to who downloads'), async () => {
    const nameOf = async (download: string) => {
      const { secret } = await make({ folder_id: root, allow: { download } })
      const { url } = (await anybody['download-shared-media']({ params: { secret, id: inRoot } })).body
      const { status, headers } = await fetch(url)
      return [status, /filename="([^"]*)"/.exec(headers.get('content-disposition')!)?.[1]]
    }
    assert.deepEqual(await nameOf('preview'), [200, 'a_1600px.jpg'])
    assert.deepEqual(await nameOf('original'), [200, 'a.jpg'])
  })

  test('give zips of what they show, to whoever has the link, without an e-mail', async () => {
    const [lent, mine] = [await folder('Lent'), await folder('Zipped')]
    const borrower = await person()
    await accounts.grant(lent, borrower.userId, ['READ'])
    await accounts.grant(mine, borrower.userId, ['READ', 'WRITE'])
    await picture(mine, 'own.jpg')
    await borrower.client['copy-media']({ params: { id: await picture(lent, 'lent.jpg'), folderId: mine } })
    const link = await make({ folder_id: mine, allow: { download: 'original' } }, borrower)
    const { body: job } = await anybody['create-shared-zip']({ params: { secret: link.secret } })
    const state = async (secret: string) => (await anybody['get-shared-zip']({ params: { secret, job_id: job.job_id } })).body
    await expect.poll(async () => (await state(link.secret)).state, { timeout: 120_000 }).toBe('DONE')
    const archive = Buffer.from(await (await fetch((await state(link.secret)).url!)).arrayBuffer()).toString('latin1')
    assert.ok(archive.includes('own.jpg') && !archive.includes('lent.jpg'))
    const other = await make({ folder_id: mine, allow: { download: 'original' } }, borrower)
    assert.equal((await anybody['get-shared-zip']({ params: { secret: other.secret, job_id: job.job_id } })).status, 404)
    assert.equal((await borrower.client['get-zip']({ params: { job_id: job.job_id } })).status, 404)
    const lookOnly = await make({ folder_id: mine, allow: { download: 'none' } }, borrower)
    assert.equal((await anybody['create-shared-zip']({ params: { secret: lookOnly.secret } })).status, 403)
    const params = { secret: link.secret }
    assert.equal((await anybody['create-shared-zip']({ params, body: { folder_id: outside } })).status, 404)
  })

  describe('to previews', () => {
    type Zip = Awaited<ReturnType<(typeof anybody)['get-shared-zip']>>['body']
    const asked = async (secret: string, folder_id?: number) =>
      (await anybody['create-shared-zip']({ params: { secret }, body: folder_id === undefined ? {} : { folder_id } })).body
    const ended = async (secret: string, { job_id }: Pick<Zip, 'job_id'>): Promise<Zip> => {
      const state = async () => (await anybody['get-shared-zip']({ params: { secret, job_id } })).body
      await expect.poll(async () => (await state()).state, { timeout: 240_000, interval: 200 }).not.toBe('PENDING')
      return state()
    }
    const zipped = async (secret: string, folder_id?: number) => {
      const { state, url } = await ended(secret, await asked(secret, folder_id))
      assert.equal(state, 'DONE')
      const entries = await unzipped(Buffer.from(await (await fetch(url!)).arrayBuffer()))
      return new Map(entries.map(({ path, bytes }) => [path, bytes]))
    }
    const downloaded = async (secret: string, id: number) => {
      const { body } = await anybody['download-shared-media']({ params: { secret, id } })
      return Buffer.from(await (await fetch(body.url)).arrayBuffer())
    }
    const textFile = (into: number, name: string) => uploadAndImport(client, into, Buffer.from('To be read.'), name)
    const change = async (shareId: string, download: 'none' | 'preview' | 'original') =>
      assert.equal((await client['change-share']({ params: { shareId }, body: { allow: { download } } })).status, 200)

    test('give zips of what single downloads give, and leave out what has no preview', async () => {
      const top = await folder('Previews')
      const inner = await folder('Inner', top)
      const [large, small] = [await images['wide.jpg'](), await images['plain.jpg']()]
      const upload = async (into: number, bytes: Buffer, name: string) => Number((await uploadAndImport(client, into, bytes, name)).id)
      const ids = [await upload(top, large, 'a.jpg'), await upload(top, small, 'a.png'), await upload(inner, small, 'b.jpg')] as const
      await client['set-copyright']({ params: { id: ids[0] }, body: 'The harbour' })
      await textFile(top, 'read me.txt')
      const links = [
        { ...(await make({ folder_id: top, allow: { download: 'preview' } })), under: 'Inner/' },
        { ...(await make({ media_ids: [...ids], allow: { download: 'preview' } })), under: '' },
      ]
      for (const { secret, under } of links) {
        const zip = await zipped(secret)
        assert.deepEqual([...zip.keys()].toSorted(), [`${under}b_1600px.jpg`, 'a_1600px (2).jpg', 'a_1600px.jpg'].toSorted())
        for (const [path, id] of [
          ['a_1600px.jpg', ids[0]],
          ['a_1600px (2).jpg', ids[1]],
          [`${under}b_1600px.jpg`, ids[2]],
        ] as const) {
          assert.ok(zip.get(path)!.equals(await downloaded(secret, id)), path)
        }
        assert.ok([...zip.values()].every((bytes) => !bytes.equals(large) && !bytes.equals(small)))
      }
      assert.deepEqual([...(await zipped(links[0]!.secret, inner)).keys()], ['b_1600px.jpg'])
    })

    test('give the previews of films in zips', { ...withVideos, ...elsewhere }, async () => {
      const into = await folder('Films')
      const film = await readFile(await testVideo({ seconds: 1 }))
      const { id } = await uploadAndImport(client, into, film, 'film.mov')
      const { secret } = await make({ folder_id: into, allow: { download: 'preview' } })
      const zip = await zipped(secret)
      assert.deepEqual([...zip.keys()], ['film_preview.mp4'])
      assert.ok(zip.get('film_preview.mp4')!.equals(await downloaded(secret, Number(id))))
    })

    test('fail zips of nothing that has a preview', async () => {
      const into = await folder('Texts')
      const { id } = await textFile(into, 'a.txt')
      for (const shared of [{ folder_id: into }, { media_ids: [Number(id)] }]) {
        const { secret } = await make({ ...shared, allow: { download: 'preview' } })
        const { state, url } = await ended(secret, await asked(secret))
        assert.deepEqual([state, url], ['FAILED', null])
      }
    })

    test('hand out no zip that was asked for while they gave something else', async () => {
      const into = await folder('Changing')
      await picture(into, 'a.jpg')
      const { id, secret } = await make({ folder_id: into, allow: { download: 'original' } })
      const get = async ({ job_id }: Zip) => (await anybody['get-shared-zip']({ params: { secret, job_id } })).status
      const originals = await ended(secret, await asked(secret))
      await change(id, 'preview')
      assert.equal(await get(originals), 404)
      const previews = await asked(secret)
      assert.notEqual(previews.job_id, originals.job_id)
      assert.deepEqual([...(await zipped(secret)).keys()], ['a_1600px.jpg'])
      assert.equal((await asked(secret)).job_id, previews.job_id)
      await change(id, 'none')
      assert.deepEqual([await get(originals), await get(previews)], [403, 403])
      await change(id, 'original')
      assert.deepEqual([await get(originals), await get(previews)], [200, 404])
      assert.deepEqual([...(await zipped(secret)).keys()], ['a.jpg'])
    })
  })

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

    test('ask for their password first', async () => {
      const into = await folder('Inbox')
      const { secret } = await make({ folder_id: into, allow: { upload: true }, password: 'open sesame' })
      assert.equal((await begin(secret)).status, 403)
      assert.equal((await anybody['register-shared-upload']({ params: { secret } })).status, 403)
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

  test('are told of in the feed, to their maker and to admins', async () => {
    const admin = await person({ admin: true })
    const mate = await person()
    const { cursor } = (await admin.client['list-events']({ query: { cursor: 'now' } })).body
    const { id, secret } = await make({ folder_id: root, allow: { download: 'original' } })
    await service.request(`/s/${secret}`)
    await anybody['download-shared-media']({ params: { secret, id: inRoot } })
    await client['delete-share']({ params: { shareId: id } })
    const types = 'share.created,share.visited,media.downloaded,share.removed'
    const told = async ({ client: by }: Person) =>
      (await by['list-events']({ query: { cursor, types } })).body.events
        .filter(({ data }) => data.share_id === id)
        .map(({ type, actor }) => [type, actor.user_id])
    const all = [
      ['share.created', maker.userId],
      ['share.visited', undefined],
      ['media.downloaded', undefined],
      ['share.removed', maker.userId],
    ]
    await expect.poll(async () => (await told(admin)).toSorted(), { timeout: 60_000 }).toEqual(all.toSorted())
    assert.deepEqual((await told(maker)).toSorted(), all.filter(([type]) => type !== 'media.downloaded').toSorted())
    assert.deepEqual(await told(mate), [])
  })

  test('are the same 404 whatever ended them, and never tell a robot or a referrer of their address', async () => {
    const { id, secret } = await make({ folder_id: root })
    const open = await service.request(`/s/${secret}/contents`)
    await client['delete-share']({ params: { shareId: id } })
    const ended = await service.request(`/s/${secret}/contents`)
    const unknown = await service.request(`/s/${'x'.repeat(43)}/contents`)
    const { request_id: one, ...told } = (await ended.json()) as Body
    const { request_id: two, ...same } = (await unknown.json()) as Body
    assert.notEqual(one, two)
    assert.deepEqual(told, same)
    for (const { headers } of [open, ended, unknown]) {
      assert.deepEqual(
        ['referrer-policy', 'x-robots-tag', 'cache-control', 'content-security-policy'].map((name) => headers.get(name)),
        ['no-referrer', 'noindex', 'no-store', "default-src 'none'; frame-ancestors 'none'"],
      )
    }
  })

  test('answer a browser by a page whether they are open, have ended or never were, and tell it nothing else', async () => {
    const { id, secret } = await make({ folder_id: root })
    const inBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
    const open = await service.request(`/s/${secret}`, inBrowser)
    await client['delete-share']({ params: { shareId: id } })
    const ended = await service.request(`/s/${secret}`, inBrowser)
    const unknown = await service.request(`/s/${'x'.repeat(43)}`, inBrowser)
    assert.deepEqual([open.status, ended.status, unknown.status], [200, 404, 404])
    const labels = [
      'content-type',
      'content-security-policy',
      'referrer-policy',
      'x-robots-tag',
      'cache-control',
      'x-content-type-options',
    ] as const
    const labelsOf = ({ headers }: Response) => labels.map((name) => headers.get(name))
    const html = await open.text()
    for (const answer of [ended, unknown]) {
      assert.deepEqual([labelsOf(answer), answer.headers.get('set-cookie'), await answer.text()], [labelsOf(open), null, html])
    }
    assert.deepEqual(labelsOf(ended).slice(0, 1).concat(labelsOf(ended).slice(2)), [
      'text/html; charset=utf-8',
      'no-referrer',
      'noindex',
      'no-store',
      'nosniff',
    ])
    const asProgram = await service.request(`/s/${secret}`, { headers: { accept: 'application/json' } })
    assert.deepEqual([asProgram.status, ((await asProgram.json()) as Body).code], [404, 'share_not_found'])
  })

  test('are not in the log', elsewhere, async () => {
    const { secret } = await make({ folder_id: root })
    await service.request(`/s/${secret}`)
    await contents(secret)
    assert.ok(service.log.length > 0)
    assert.ok(!service.log.some((line) => line.includes(secret)))
  })
})
