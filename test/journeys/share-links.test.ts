import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { disableUser } from '../../shared/library/accounts/admins.ts'
import { enableUser } from '../../shared/library/accounts/users.ts'
import { elsewhere } from '../support/service.ts'
import type { Person } from '../support/service-with-accounts.ts'
import { serviceWithShares } from '../support/service-with-shares.ts'

type Body = Record<string, unknown>

describe('share links', async () => {
  const { accounts, anybody, client, contents, folder, make, maker, person, picture, service, shown, statusOf } = await serviceWithShares()
  /** Of cookies, besides their names and paths. */
  const flags = service.stack === undefined ? 'HttpOnly; SameSite=Lax' : 'Secure; HttpOnly; SameSite=Lax'
  const root = await folder('Press')
  const below = await folder('Below', root)
  const outside = await folder('Outside')
  const [inRoot, inBelow, inOutside] = [await picture(root, 'a.jpg'), await picture(below, 'b.jpg'), await picture(outside, 'c.jpg')]

  test('show a folder with what lies below it, and nothing else', async () => {
    const { url, secret, ...share } = await make({ folder_id: root, title: 'For the press' })
    assert.match(url!, /\/s\/[\w-]{43}$/)
    const top = (await contents(secret)).body
    assert.deepEqual(
      [top.title, top.path.map(({ name }) => name), top.folders],
      ['For the press', ['Press'], [{ id: below, name: 'Below', file_count: 1, cover_url: top.folders[0]!.cover_url }]],
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

  test('tell whose they are, and how much is below, each file once', async () => {
    const [top, one, two] = [await folder('Only folders'), await folder('One'), await folder('Two')]
    for (const id of [one, two]) await client['change-folder']({ params: { id }, body: { parent: top } })
    const [first] = [await picture(one, 'first.jpg'), await picture(two, 'second.jpg')]
    await client['copy-media']({ params: { id: first, folderId: two } })
    const { secret } = await make({ folder_id: top })
    const { body } = await contents(secret)
    const { fullname } = (await client['get-user']({ params: { id: maker.userId } })).body
    assert.deepEqual([body.maker, body.file_count, body.files_below, body.files], [fullname, 0, 2, []])
    assert.deepEqual(
      body.folders.map(({ name, file_count }) => [name, file_count]),
      [
        ['One', 1],
        ['Two', 2],
      ],
    )
    for (const { cover_url } of body.folders) assert.equal((await fetch(cover_url!)).status, 200)
    const all = (await anybody['list-shared']({ params: { secret }, query: { recursive: '1' } as never })).body
    assert.deepEqual([all.file_count, all.files_below, all.files.map(({ filename }) => filename)], [2, 2, ['first.jpg', 'second.jpg']])
    const ofFiles = await make({ media_ids: [first] })
    assert.deepEqual([(await contents(ofFiles.secret)).body.file_count, (await contents(ofFiles.secret)).body.folders], [1, []])
  })

  test('tell their address to their maker alone, also after it changed', async () => {
    const admin = await person({ admin: true })
    const made = await make({ folder_id: root })
    const params = { shareId: made.id }
    const urlsFor = async (who: Person) => {
      const { shares } = (await who.client['list-shares']({})).body
      return [shares.find(({ id }) => id === made.id)?.url, (await who.client['get-share']({ params })).body.url]
    }
    assert.deepEqual(await urlsFor(maker), [made.url, made.url])
    assert.deepEqual(await urlsFor(admin), [undefined, undefined])
    const { url } = (await client['renew-share-secret']({ params })).body
    assert.notEqual(url, made.url)
    assert.deepEqual(await urlsFor(maker), [url, url])
    const other = await admin.client['renew-share-secret']({ params })
    assert.deepEqual(await urlsFor(maker), [other.body.url, other.body.url])
    assert.deepEqual(await urlsFor(admin), [undefined, undefined])
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
    await client['change-share']({ params: { shareId: id }, body: { password: 'another one' } })
    assert.equal((await withCookie(`/s/${secret}/contents`)).status, 403)
    await client['change-share']({ params: { shareId: id }, body: { password: null } })
    assert.equal(await statusOf(secret), 200)
  })

  test('take passwords of at least eight characters, as users do', async () => {
    const { id } = await make({ folder_id: root, password: 'eight ch' })
    for (const { status, body } of [
      await client['create-share']({ body: { folder_id: root, password: 'seven c' } }),
      await client['change-share']({ params: { shareId: id }, body: { password: 'seven c' } }),
    ]) {
      const { errors } = body as unknown as { errors: unknown }
      assert.deepEqual([status, errors], [400, [{ path: 'password', message: 'must be at least 8 characters' }]])
    }
  })

  test('refuse a source after ten wrong passwords, and another link not', async () => {
    const [one, other] = [
      await make({ folder_id: root, password: 'the right one' }),
      await make({ folder_id: root, password: 'the right one' }),
    ]
    const ask = async ({ secret }: { secret: string }, password: string) =>
      (await anybody['unlock-shared']({ params: { secret }, body: { password } })).status
    for (let n = 0; n < 10; n++) assert.equal(await ask(one, `wrong ${n}`), 403)
    assert.equal(await ask(one, 'the right one'), 429)
    assert.equal(await ask(other, 'the right one'), 200)
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
    assert.ok(!JSON.stringify(await admin.client['get-share']({ params })).includes(secret))
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
