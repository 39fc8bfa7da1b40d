import assert from 'node:assert/strict'
import { describe, test, vi } from 'vitest'
import { noteImport } from '../../shared/library/media/changes.ts'
import { pretendEncoded } from '../support/encoded.ts'
import { putMedia } from '../support/media.ts'
import { mp4 } from '../support/pictures/index.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { imported, postForm, uploadAndImport } from '../support/uploading.ts'

type Query = NonNullable<Parameters<Person['client']['list-events']>[0]>['query']

const patience = { timeout: 60_000, interval: 50 }

describe('events', async () => {
  const { accounts, person, service } = await serviceWithAccounts()

  /** A company with an admin and somebody without rights. */
  async function company() {
    const companyId = await accounts.company('Company')
    const [admin, reader] = [await person({ companyId, admin: true }), await person({ companyId })]
    // What is told of the company's beginning is told before anything else of it.
    await vi.waitFor(async () => assert.equal((await page(admin, { types: ['user.created'] })).events.length, 2), patience)
    const { client } = admin
    const folder = async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id
    const file = async (folderId: number, name = 'text.txt', bytes: Uint8Array = Buffer.from(name)) => {
      const id = Number((await uploadAndImport(client, folderId, bytes, name)).id)
      await vi.waitFor(
        async () => assert.ok((await page(admin, { types: ['media.created'] })).events.some(({ data }) => data.media_id === id)),
        patience,
      )
      return id
    }
    return { companyId, admin, reader, client, folder, file }
  }

  const page = async ({ client }: Person, query: Query = {}) => {
    const { status, body } = await client['list-events']({ query })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** All events that somebody sees behind a cursor, once the last of them is of this type. */
  const until = (type: string, who: Person, query: Query = {}) =>
    vi.waitFor(async () => {
      const { events } = await page(who, { limit: 1000, ...query })
      assert.equal(events.at(-1)?.type, type, JSON.stringify(events))
      return events
    }, patience)

  /** What comes of an act, until an event of this type is the last one. */
  const eventsOf = async (who: Person, type: string, act: () => Promise<{ status: number }>) => {
    const { cursor } = await page(who, { cursor: 'now' })
    const { status } = await act()
    assert.ok(status < 300, String(status))
    return (await until(type, who, { cursor })).map(({ type, actor, data }) => ({ type, actor, data }))
  }

  test('tell the life of a file and its folders, in order, with who did it', async () => {
    const { admin, client, folder, file } = await company()
    const actor = { user_id: admin.userId }
    const { cursor } = await page(admin, { cursor: 'now' })
    const [one, two] = [await folder('One'), await folder('Two')]
    const id = await file(one)
    const params = { id }
    assert.deepEqual(
      (await until('media.created', admin, { cursor })).map(({ type, actor, data }) => ({ type, actor, data })),
      [
        { type: 'folder.created', actor, data: { folder_id: one, parent: null } },
        { type: 'folder.created', actor, data: { folder_id: two, parent: null } },
        { type: 'media.created', actor, data: { media_id: id, folder_ids: [one], version: 1 } },
      ],
    )
    const ofFile = (type: string, folder_ids: number[], version: number) => ({ type, actor, data: { media_id: id, folder_ids, version } })
    const ofFolder = (type: string, folder_id: number, parent: number | null) => ({ type, actor, data: { folder_id, parent } })

    const edited = () => client['set-title']({ params, body: { en: 'Title' } })
    assert.deepEqual(await eventsOf(admin, 'media.updated', edited), [ofFile('media.updated', [one], 2)])
    const copied = () => client['copy-media']({ params: { id, folderId: two } })
    assert.deepEqual(await eventsOf(admin, 'media.placed', copied), [ofFile('media.placed', [one, two], 2)])
    const removed = () => client['remove-media']({ params: { id, folderId: two } })
    assert.deepEqual(await eventsOf(admin, 'media.placed', removed), [ofFile('media.placed', [one], 2)])
    const downloaded = () => client['get-download-location']({ params })
    assert.deepEqual(await eventsOf(admin, 'media.downloaded', downloaded), [ofFile('media.downloaded', [one], 2)])
    const trashed = () => client['move-media-to-trash']({ params: { id, folderId: one } })
    assert.deepEqual(await eventsOf(admin, 'media.trashed', trashed), [ofFile('media.trashed', [one], 2)])
    const trashcan = (await client['list-folders']({})).body.find(({ permissions }) => permissions.groups.includes('TRASH'))!.id
    const restored = () => client['restore-media']({ params, body: { from: trashcan } })
    assert.deepEqual(await eventsOf(admin, 'media.restored', restored), [ofFile('media.restored', [one], 2)])
    const deleted = () => client['remove-media']({ params: { id, folderId: one } })
    assert.deepEqual(await eventsOf(admin, 'media.deleted', deleted), [ofFile('media.deleted', [one], 2)])

    const renamed = () => client['change-folder']({ params: { id: two }, body: { name: 'New' } })
    assert.deepEqual(await eventsOf(admin, 'folder.renamed', renamed), [ofFolder('folder.renamed', two, null)])
    const moved = () => client['change-folder']({ params: { id: two }, body: { parent: one } })
    assert.deepEqual(await eventsOf(admin, 'folder.moved', moved), [ofFolder('folder.moved', two, one)])
    const thrown = () => client['move-folder-to-trash']({ params: { id: two } })
    assert.deepEqual(await eventsOf(admin, 'folder.trashed', thrown), [ofFolder('folder.trashed', two, one)])
    const back = () => client['restore-folder']({ params: { id: two }, body: {} })
    assert.deepEqual(await eventsOf(admin, 'folder.restored', back), [ofFolder('folder.restored', two, one)])
    const gone = () => client['delete-folder']({ params: { id: two } })
    assert.deepEqual(await eventsOf(admin, 'folder.deleted', gone), [ofFolder('folder.deleted', two, one)])
  })

  test('tell of files in a folder that is purged, or deleted, where they were', async () => {
    const { admin, client, folder, file } = await company()
    const [one, other] = [await folder('One'), await folder('Other')]
    const [first, second, third] = [await file(one), await file(one), await file(other)]
    const deletedIn = async (name: string, act: () => Promise<{ status: number }>, count: number) => {
      const { cursor } = await page(admin, { cursor: 'now' })
      await act()
      const events = await vi.waitFor(async () => {
        const found = (await page(admin, { cursor, types: ['media.deleted'] })).events
        assert.equal(found.length, count, name)
        return found
      }, patience)
      return events.map(({ data }) => [data.media_id, data.folder_ids]).sort()
    }
    const purge = () => client['purge-folder']({ params: { id: one } })
    assert.deepEqual(
      await deletedIn('purged', purge, 2),
      [
        [first, [one]],
        [second, [one]],
      ].sort(),
    )
    const fourth = await file(one)
    assert.deepEqual((await until('media.created', admin)).at(-1)!.data.folder_ids, [one])
    assert.deepEqual(await deletedIn('purged again', purge, 1), [[fourth, [one]]])
    const remove = () => client['delete-folder']({ params: { id: other } })
    assert.deepEqual(await deletedIn('deleted', remove, 1), [[third, [other]]])
  })

  test('tell of shares, links, zips, streams, imports and bulk changes', async () => {
    const { admin, client, companyId, folder, file } = await company()
    const actor = { user_id: admin.userId }
    const one = await folder('One')
    const cdn = await accounts.cdnFolder(companyId)
    const [id, other] = [await file(one), await file(one, 'other.txt')]

    const clique = (await client['create-clique']({ body: { name: 'Clique', svc_id: companyId } })).body.id
    const shared = [{ type: 'folder.shared', actor, data: { folder_id: one, parent: null } }]
    const share = () => client['share-folder-with-clique']({ params: { id: clique, folderId: one }, body: { access: 'READ' } })
    assert.deepEqual(await eventsOf(admin, 'folder.shared', share), shared)
    const unshared = () => client['delete-clique']({ params: { id: clique } })
    assert.deepEqual(await eventsOf(admin, 'folder.shared', unshared), [{ ...shared[0], actor: {} }])

    const linked = await eventsOf(admin, 'link.created', () => client['copy-media']({ params: { id, folderId: cdn.folderId } }))
    const { link } = linked.find(({ type }) => type === 'link.created')!.data
    const ofLink = (type: string, media_id: number) => ({ type, actor, data: { media_id, folder_ids: [cdn.folderId], link } })
    assert.deepEqual(
      linked.find(({ type }) => type === 'link.created'),
      ofLink('link.created', id),
    )
    const { cursor } = await page(admin, { cursor: 'now' })
    await client['replace-link']({ params: { company: companyId, folder: cdn.folderId, old: id, new: other } })
    await client['remove-media']({ params: { id: other, folderId: cdn.folderId } })
    const ofLinks = await vi.waitFor(async () => {
      const { events } = await page(admin, { cursor, types: ['link.updated', 'link.deleted'] })
      assert.equal(events.length, 2)
      return events.map(({ type, actor, data }) => ({ type, actor, data }))
    }, patience)
    assert.deepEqual(ofLinks, [ofLink('link.updated', other), ofLink('link.deleted', other)])

    const zip = { job_id: '' }
    const zipped = async () => {
      const answer = await client['create-zip']({ params: { id: one } })
      zip.job_id = answer.body.job_id
      return answer
    }
    assert.deepEqual(await eventsOf(admin, 'zip.ready', zipped), [{ type: 'zip.ready', actor, data: { ...zip, folder_id: one } }])
    const bulk = { job_id: '' }
    const changed = async () => {
      const answer = await client['change-media-in-bulk']({ body: { select: { ids: [id] }, change: { byline: 'Anna' } } })
      bulk.job_id = answer.body.job_id
      return answer
    }
    assert.deepEqual(
      (await eventsOf(admin, 'bulk.finished', changed)).find(({ type }) => type === 'bulk.finished'),
      { type: 'bulk.finished', actor, data: bulk },
    )

    const video = await file(one, 'film.mp4', mp4(['vide']))
    for (const [state, type] of [
      ['available', 'stream.available'],
      ['failed', 'stream.failed'],
    ] as const) {
      const told = await eventsOf(admin, type, async () => {
        await pretendEncoded(accounts.library, video, state)
        return { status: 200 }
      })
      assert.deepEqual(told, [{ type, actor, data: { media_id: video } }])
    }
    const importing = await putMedia(accounts.table, { mediaId: 77_001, companyId, folders: [one], state: 'importing' })
    const delayed = async () => {
      await noteImport(accounts.library, importing.mediaId, { set: { delayed: true } })
      return { status: 200 }
    }
    assert.deepEqual(await eventsOf(admin, 'import.delayed', delayed), [{ type: 'import.delayed', actor: {}, data: { media_id: 77_001 } }])
  })

  test('are those that somebody may see when they ask', async () => {
    const { admin, reader, client, companyId, folder, file } = await company()
    const [open, hidden] = [await folder('Open'), await folder('Hidden')]
    await accounts.grant(open, reader.userId, ['READ'])
    const [seen, unseen] = [await file(open), await file(hidden)]
    await client['copy-media']({ params: { id: seen, folderId: hidden } })
    await client['get-download-location']({ params: { id: seen } })
    const all = await until('media.downloaded', admin)
    const { events, more } = await page(reader)
    assert.equal(more, false)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.media_id ?? data.folder_id, data.folder_ids]),
      [
        ['folder.created', open, undefined],
        ['media.created', seen, [open]],
        ['media.placed', seen, [open]],
      ],
    )
    assert.deepEqual((await page(reader, { folder_ids: [hidden] })).events, [])
    assert.deepEqual(
      (await page(admin, { folder_ids: [hidden], types: ['media.created'] })).events.map(({ data }) => data.media_id),
      [unseen],
    )

    // What was there before comes and goes with the right.
    await accounts.grant(hidden, reader.userId, ['READ'])
    const types = ['media.created'] as const
    assert.deepEqual(
      (await page(reader, { types: [...types] })).events.map(({ data }) => data.media_id),
      [seen, unseen],
    )
    await accounts.grant(hidden, reader.userId, [])
    assert.deepEqual(
      (await page(reader, { types: [...types] })).events.map(({ data }) => data.media_id),
      [seen],
    )

    // Of what is deleted those learn who may READ where it was.
    await client['move-media-to-trash']({ params: { id: seen, folderId: open } })
    await client['remove-media']({ params: { id: unseen, folderId: hidden } })
    await until('media.deleted', admin)
    assert.deepEqual(
      (await page(reader, { types: ['media.trashed', 'media.deleted'] })).events.map(({ type, data }) => [
        type,
        data.media_id,
        data.folder_ids,
      ]),
      [['media.trashed', seen, [open]]],
    )

    // An application with the grant `downloads` may READ all folders; others see nothing of the company.
    const key = await accounts.key(['downloads'], companyId)
    const application = await service.client(hmacAuthorization(key))
    const read = (await application['list-events']({ query: {} })).body.events
    assert.ok(read.some(({ data }) => data.folder_id === hidden) && read.every(({ type }) => type !== 'media.downloaded'))
    const stranger = await person({ admin: true })
    assert.equal((await stranger.client['list-events']({ query: { company_id: companyId } })).status, 404)
    assert.ok(!(await page(stranger, { limit: 1000 })).events.some(({ id }) => all.some((event) => event.id === id)))
  })

  test('tell admins alone of people who come, change and leave, however they were made', async () => {
    const { admin, reader, client, companyId } = await company()
    const made = (await page(admin, { types: ['user.created'] })).events
    assert.deepEqual(
      made.map(({ actor, data }) => [actor, data]),
      [admin, reader].map(({ userId }) => [{}, { user_id: userId }]),
    )
    const { cursor } = await page(admin, { cursor: 'now' })
    const body = { username: `person-${admin.userId}`, fullname: 'Anna' }
    const { id } = (await client['create-company-user']({ params: { id: companyId }, body })).body
    await client['change-user']({ params: { id }, body: { admin: true } })
    await client['invite-user']({ params: { id } })
    await client['remove-company-user']({ params: { id: companyId, user_id: id } })
    const events = await until('user.left', admin, { cursor })
    assert.deepEqual(
      events.map(({ type, actor, data }) => [type, actor, data]),
      ['user.created', 'user.changed', 'user.left'].map((type) => [type, { user_id: admin.userId }, { user_id: id }]),
    )
    assert.deepEqual((await page(reader, { cursor })).events, [])
  })

  test('tell admins alone by which request, and from which network', async () => {
    const { admin, reader, client, folder } = await company()
    const one = await folder('One')
    await accounts.grant(one, reader.userId, ['READ'])
    const { cursor } = await page(admin, { cursor: 'now' })
    const requests = new Map<string, string | null>()
    const idIn = ({ headers }: { headers: Headers }) => headers.get('x-svc-request-id')

    const form = (await client['register-upload']({ body: { folder: one } })).body
    const finalized = await fetch((await postForm(form, Buffer.from('text'), 'text.txt')).headers.get('location')!)
    requests.set('media.created', idIn(finalized))
    const id = ((await finalized.json()) as { media_id: number }).media_id
    await imported(client, id)
    requests.set('folder.renamed', idIn(await client['change-folder']({ params: { id: one }, body: { name: 'New' } })))
    requests.set('media.downloaded', idIn(await client['get-download-location']({ params: { id } })))
    const bulk = { select: { ids: [id] }, change: { byline: 'Anna' } }
    const changed = idIn(await client['change-media-in-bulk']({ body: bulk }))
    requests.set('media.updated', changed).set('bulk.finished', changed)
    await until('bulk.finished', admin, { cursor })
    const shown = (await page(reader, { cursor, limit: 1000 })).events
    assert.deepEqual(
      shown.map(({ type, request_id, network }) => [type, request_id, network]),
      ['media.created', 'folder.renamed', 'media.updated'].map((type) => [type, undefined, undefined]),
    )
    const deleted = idIn(await client['delete-folder']({ params: { id: one } }))
    requests.set('folder.deleted', deleted).set('media.deleted', deleted)

    const events = await vi.waitFor(async () => {
      // The test itself grants the right, by no request.
      const found = (await page(admin, { cursor, limit: 1000 })).events.filter(({ type }) => type !== 'folder.shared')
      assert.deepEqual(new Set(found.map(({ type }) => type)), new Set(requests.keys()))
      return found
    }, patience)
    for (const { type, request_id, network } of events) {
      assert.ok(request_id !== undefined && request_id === requests.get(type), type)
      assert.match(network!, /^([\d.]+\.0\/24|[\da-f:]+::\/48)$/, type)
    }
  })

  test('are read page by page, each once, from any cursor that was given out', async () => {
    const { admin, reader, companyId, folder } = await company()
    const start = (await page(admin, { cursor: 'now' })).cursor
    const names = Array.from({ length: 25 }, (_, n) => `Folder ${n}`)
    const folders: number[] = []
    for (const name of names) folders.push(await folder(name))
    await vi.waitFor(async () => assert.equal((await page(admin, { cursor: start, limit: 1000 })).events.length, 25), {
      timeout: 60_000,
      interval: 50,
    })
    const found: number[] = []
    const ids = new Set<string>()
    let cursor = start
    for (let more = true; more; ) {
      const answer = await page(admin, { cursor, limit: 7 })
      assert.ok(answer.events.length <= 7)
      assert.deepEqual(await page(admin, { cursor, limit: 7 }), answer)
      for (const { id, data } of answer.events) {
        ids.add(id)
        found.push(data.folder_id!)
      }
      ;({ cursor, more } = answer)
    }
    assert.deepEqual([found, ids.size], [folders, 25])
    assert.deepEqual(await page(admin, { cursor }), { events: [], cursor, more: false })
    // A cursor moves past what is hidden.
    const hidden = await page(reader, { limit: 1 })
    assert.deepEqual(hidden, { events: [], cursor, more: false })

    const refused = async (query: object, who = admin) => {
      const { status, body } = await who.client['list-events']({ query: query as Query })
      return [status, (body as unknown as { code: string }).code]
    }
    const elsewhere = (await page(await person({ admin: true }), { cursor: 'now' })).cursor
    const ahead = Buffer.from(`${companyId}.29`).toString('base64url')
    for (const wrong of ['nonsense', elsewhere, ahead, `${cursor}=`, '-1', 'NOW']) {
      assert.deepEqual(await refused({ cursor: wrong }), [400, 'invalid_input'], wrong)
    }
    assert.deepEqual(await refused({ types: ['media.eaten'] }), [400, 'invalid_input'])
    for (const limit of [0, 1001]) assert.deepEqual(await refused({ limit }), [400, 'invalid_input'])
  })
})
