import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'

type Client = Person['client']
type Input = NonNullable<Parameters<Client['change-media-in-bulk']>[0]>['body']

describe('bulk changes', async () => {
  const { person, accounts, service } = await serviceWithAccounts()
  const companyId = await accounts.company('Harbour')
  const [owner, admin] = [await person({ companyId }), await person({ companyId, admin: true })]
  const { client } = owner
  const create = async (name: string) => (await client['create-folder']({ body: { name, parent: null } })).body.id
  const file = async (folder: number, name: string) => Number((await uploadAndImport(client, folder, Buffer.from(name), name)).id)
  const metadataOf = async (id: number) => (await client['get-metadata']({ params: { id } })).body
  const start = (body: Input, by: Client = client) => by['change-media-in-bulk']({ body })
  async function ended(job_id: string, by: Client = client) {
    return until(async () => {
      const { body } = await by['get-bulk']({ params: { job_id } })
      return body.state !== 'PENDING' && body
    })
  }
  const changed = async (body: Input, by: Client = client) => {
    const answer = await start(body, by)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return { job_id: answer.body.job_id, ...(await ended(answer.body.job_id, by)) }
  }

  test('change metadata, keywords and folders of each file, and can be undone for a day', async () => {
    const [from, to] = [await create('From'), await create('To')]
    const ids = [await file(from, 'a.txt'), await file(from, 'b.txt')]
    for (const id of ids) await client['set-title']({ params: { id }, body: { en: 'Old', da: 'Gammel' } })
    const done = await changed({
      select: { ids: [...ids, ids[0]!] },
      change: {
        title: { en: 'New', da: null },
        byline: 'Anna',
        expiration_date: '2031-01-31',
        keywords: { en: { add: ['dawn'] } },
        folders: { move: { from, to } },
      },
    })
    const { job_id, undo_until, ...counts } = done
    assert.deepEqual(counts, { state: 'DONE', done: 2, total: 2, changed: 2, unchanged: 0, refused: [], refused_total: 0 })
    assert.match(undo_until!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    for (const id of ids) {
      const { title, keywords } = await metadataOf(id)
      assert.deepEqual({ title, keywords }, { title: { en: 'New' }, keywords: { en: ['dawn'] } })
      const { body } = await client['get-media']({ params: { id } })
      assert.deepEqual([body.byline, body.expiration_date], ['Anna', '2031-01-31'])
      const { body: folders } = await client['list-media-folders']({ params: { id } })
      assert.deepEqual(
        folders.map(({ group_id }) => group_id),
        [to],
      )
      assert.equal((await client['get-version']({ params: { id } })).body.version, 3)
    }
    await client['set-byline']({ params: { id: ids[1]! }, body: 'Mine' })
    const [one, other] = await Promise.all([1, 2].map(() => client['undo-bulk']({ params: { job_id } })))
    const [undo, late] = one!.status === 200 ? [one!, other!] : [other!, one!]
    assert.deepEqual([undo.status, late.status, (late.body as { code?: string }).code], [200, 409, 'already_undone'])
    const undone = await ended(undo.body.job_id)
    assert.deepEqual([undone.changed, undone.refused, undone.undo_until], [1, [{ media_id: ids[1]!, code: 'changed_since' }], null])
    const { title, keywords } = await metadataOf(ids[0]!)
    assert.deepEqual({ title, keywords }, { title: { en: 'Old', da: 'Gammel' }, keywords: {} })
    for (const id of [job_id, undo.body.job_id]) assert.equal((await client['undo-bulk']({ params: { job_id: id } })).status, 409)
  })

  test('of a search change what it finds, unless it finds another number of files', async () => {
    const folder = await create('Searched')
    const ids = [await file(folder, 'one.txt'), await file(folder, 'two.txt')]
    const search = { folder_ids: folder, media_type: 'generic' }
    const change = { editorial: true }
    const refused = await start({ select: { search, expect: 3 }, change })
    assert.deepEqual([refused.status, (refused.body as { code?: string }).code], [409, 'selection_changed'])
    assert.equal((await start({ select: { search }, change })).status, 400)
    assert.equal((await start({ select: { search: { media_count: 'x' }, expect: 1 }, change })).status, 400)
    const done = await changed({ select: { search, expect: 2 }, change })
    assert.deepEqual([done.changed, done.total], [2, 2])
    for (const id of ids) assert.equal((await metadataOf(id)).editorial, true)
    const nothing = await changed({ select: { search: { ...search, q: 'nothing like it' }, expect: 0 }, change })
    assert.deepEqual([nothing.state, nothing.total], ['DONE', 0])
  })

  test('refuse files without the rights, and go on', async () => {
    const [writable, readable, hidden] = [await create('Writable'), await create('Readable'), await create('Hidden')]
    const other = await person({ companyId })
    await accounts.grant(writable, other.userId, ['WRITE'])
    await accounts.grant(readable, other.userId, ['READ'])
    const ids = [await file(writable, 'w.txt'), await file(readable, 'r.txt'), await file(hidden, 'h.txt')]
    const done = await changed({ select: { ids }, change: { copyright: '© Anna' } }, other.client)
    assert.deepEqual([done.changed, done.refused_total], [1, 2])
    assert.deepEqual(done.refused, [
      { media_id: ids[1]!, code: 'forbidden' },
      { media_id: ids[2]!, code: 'not_found' },
    ])
    const into = (to: number) => start({ select: { ids }, change: { folders: { add: to } } }, other.client)
    assert.deepEqual([(await into(readable)).status, (await into(hidden)).status, (await into(writable)).status], [403, 404, 200])
  })

  test('are seen by who asked and by admins, and by nobody else', async () => {
    const folder = await create('Seen')
    const { job_id } = await changed({ select: { ids: [await file(folder, 's.txt')] }, change: { editorial: true } })
    const statusFor = async ({ client: by }: Person) => (await by['get-bulk']({ params: { job_id } })).status
    const stranger = await person()
    assert.deepEqual([await statusFor(admin), await statusFor(await person({ companyId })), await statusFor(stranger)], [200, 404, 404])
    assert.equal((await stranger.client['undo-bulk']({ params: { job_id } })).status, 404)
    assert.equal((await client['get-bulk']({ params: { job_id: 'nothing' } })).status, 404)
  })

  test('hold at least one change of at least one file, and nothing that contradicts itself', async () => {
    const change = { editorial: true }
    const wrong: unknown[] = [
      { select: { ids: [] }, change },
      { select: {}, change },
      { select: { ids: [1], search: { q: 'x' }, expect: 1 }, change },
      { select: { ids: Array.from({ length: 10_001 }, (_, n) => n + 1) }, change },
      { select: { ids: [1] }, change: {} },
      { select: { ids: [1] }, change: { keywords: { en: { add: ['x'], replace: ['y'] } } } },
      { select: { ids: [1] }, change: { keywords: { en: {} } } },
      { select: { ids: [1] }, change: { folders: {} } },
      { select: { ids: [1] }, change: { folders: { add: 1, trash: { from: 2 } } } },
      { select: { ids: [1] }, change: { expiration_date: '2031-02-30' } },
    ]
    for (const body of wrong) assert.equal((await start(body as Input)).status, 400, JSON.stringify(body).slice(0, 100))
    assert.equal(service.log.filter((line) => line.includes('"level":"error"')).length, 0)
  })
})
