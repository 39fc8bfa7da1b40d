import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'vitest'
import { exchangeFile } from '../support/exchanged.ts'
import { images } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('the history of a file', async () => {
  const { service, person, accounts } = await serviceWithAccounts()
  const client = await service.client()
  const folder = service.demo.folder_id
  let params: { id: number }
  beforeEach(async () => {
    params = { id: Number((await uploadAndImport(client, folder, await images['plain.png'](), 'plain.png')).id) }
  })
  const history = async (query = {}) => (await client['get-history']({ params, query })).body
  const told = async () =>
    (await history()).entries.map(({ version, kind, changed, before, after }) => ({ version, kind, changed, before, after }))
  const byline = (text: string) => client['set-byline']({ params, body: text })
  const document = async () => (await client['get-media']({ params })).body as { byline: string | null; metadata: { title: object } }
  const versionNow = async () => (await client['get-version']({ params })).body.version
  const revert = (version: number, body: { force?: boolean } = {}, headers?: Record<string, string>) =>
    client['revert-change']({ params: { ...params, version }, body, ...(headers && { init: { headers } }) })
  const refused = async (version: number, body?: { force?: boolean }, headers?: Record<string, string>) => {
    const { status, body: said } = await revert(version, body, headers)
    const { code, changed } = said as unknown as { code: string; changed?: string[] }
    return [status, code, ...(changed ? [changed] : [])]
  }

  test('tells of each step what it changed, newest first, and of a step that changed nothing not', async () => {
    const none = await client['get-history']({ params })
    assert.deepEqual(
      [none.body, none.headers.get('cache-control'), none.headers.get('etag')],
      [{ entries: [], cursor: null, more: false }, 'no-store', null],
      'who may not READ gets other answers',
    )
    await client['replace-metadata']({ params, body: { title: { en: 'One' }, keywords: { en: ['a'] }, byline: 'Anna' } })
    await client['replace-metadata']({ params, body: { keywords: { en: ['a'] }, title: { en: 'One' } } })
    await client['set-focal-point']({ params, body: { x: 0.5, y: 0.5 } })
    const { entries, cursor, more } = await history()
    const [point, first] = entries
    assert.deepEqual([entries.length, cursor, more, await versionNow()], [2, null, false, 4])
    assert.deepEqual(
      [point?.version, point?.changed, point?.before, point?.after],
      [4, ['focal_point'], { focal_point: null }, { focal_point: { x: 0.5, y: 0.5 } }],
    )
    assert.deepEqual([first?.version, first?.kind, first?.actor], [2, 'metadata', { user_id: service.demo.user_id }])
    assert.deepEqual(first?.before, { title: {}, keywords: {}, byline: null })
    assert.deepEqual(first?.after, { title: { en: 'One' }, keywords: { en: ['a'] }, byline: 'Anna' })
    assert.match(first!.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('tells that another file became the current one', async () => {
    await byline('Anna')
    await exchangeFile(accounts.library, params.id)
    const [entry] = (await history()).entries
    const { at: _, ...said } = entry!
    assert.deepEqual(said, {
      ...{ version: 3, actor: {}, kind: 'file', changed: ['file'], file_number: 2 },
      ...{ before: { file_number: 1 }, after: { file_number: 2 } },
    })
  })

  test('comes in pages', async () => {
    for (const text of ['a', 'b', 'c']) await byline(text)
    const first = await history({ limit: 2 })
    assert.deepEqual([first.entries.map(({ version }) => version), first.cursor, first.more], [[4, 3], '3', true])
    await byline('d')
    const last = await history({ limit: 2, cursor: Number(first.cursor) })
    assert.deepEqual([last.entries.map(({ version }) => version), last.cursor, last.more], [[2], null, false])
    assert.deepEqual((await history({ limit: 4 })).more, false)
  })

  test('ends a page early where values are large', async () => {
    const title = (n: number) => Object.fromEntries(['en', 'de', 'da', 'fr'].map((language) => [language, `${n}${'x'.repeat(9_990)}`]))
    for (let n = 0; n < 50; n += 1) await client['set-title']({ params, body: title(n) })
    const page = await history()
    assert.ok(page.more && page.entries.length > 30 && page.entries.length < 50, String(page.entries.length))
    const rest = await history({ cursor: Number(page.cursor) })
    assert.equal(page.entries.length + rest.entries.length, 50)
  })

  test('is for who may WRITE; without READ values stay untold', async () => {
    await byline('Anna')
    const companyId = service.demo.company_id
    const member = async (flags: ('READ' | 'WRITE')[]) => {
      const { client: theirs, userId } = await person({ companyId })
      if (flags.length > 0) await client['set-folder-access']({ params: { id: folder, userId }, body: { flags } })
      return theirs
    }
    const [reader, writer, nobody] = [await member(['READ']), await member(['WRITE']), await member([])]
    const status = async (theirs: typeof client) => [
      (await theirs['get-history']({ params })).status,
      (await theirs['revert-change']({ params: { ...params, version: 2 }, body: {} })).status,
    ]
    assert.deepEqual(
      [await status(reader), await status(nobody)],
      [
        [403, 403],
        [404, 404],
      ],
    )
    const [entry] = (await writer['get-history']({ params })).body.entries
    assert.deepEqual([entry?.changed, entry?.before, entry?.after], [['byline'], {}, {}])
    assert.deepEqual(await status(writer), [200, 200])
  })

  test('of a bulk change and its undo is that of two steps', async () => {
    await byline('Anna')
    const other = (await client['create-folder']({ body: { name: randomUUID(), parent: folder } })).body.id
    const change = { byline: null, keywords: { en: { add: ['dawn'] } }, folders: { add: other } }
    const done = async (job_id: string) => {
      for (let state = 'PENDING'; state === 'PENDING'; ) ({ state } = (await client['get-bulk']({ params: { job_id } })).body)
      return job_id
    }
    const job_id = await done((await client['change-media-in-bulk']({ body: { select: { ids: [params.id] }, change } })).body.job_id)
    await done((await client['undo-bulk']({ params: { job_id } })).body.job_id)
    const [undo, bulk] = await told()
    assert.deepEqual(
      [bulk?.changed, undo?.changed],
      [
        ['keywords', 'byline'],
        ['keywords', 'byline'],
      ],
    )
    assert.deepEqual([undo?.before, undo?.after], [bulk?.after, bulk?.before])
  })

  describe('a revert', () => {
    test('puts back what a step changed and nothing else, and can be reverted', async () => {
      await byline('Anna')
      await client['set-title']({ params, body: { en: 'Title' } })
      assert.deepEqual((await revert(2)).body, { version: 4 })
      assert.deepEqual([(await document()).byline, (await document()).metadata.title], [null, { en: 'Title' }])
      assert.deepEqual((await revert(4)).body, { version: 5 })
      assert.equal((await document()).byline, 'Anna')
      const [last] = await told()
      assert.deepEqual([last?.before, last?.after], [{ byline: null }, { byline: 'Anna' }])
    })

    test('is refused where a later step changed the same, unless it is forced', async () => {
      await client['replace-metadata']({ params, body: { title: { en: 'One' }, byline: 'Anna' } })
      await byline('Berta')
      assert.deepEqual(await refused(2), [409, 'changed_since', ['byline']])
      assert.deepEqual((await revert(2, { force: true })).body, { version: 4 })
      assert.deepEqual([(await document()).byline, (await document()).metadata.title], [null, {}])
      assert.deepEqual((await revert(2)).body, { version: 4 }, 'nothing is left to change')
    })

    test('takes If-Match and Idempotency-Key', async () => {
      await byline('Anna')
      assert.deepEqual(await refused(2, {}, { 'If-Match': '"1"' }), [412, 'version_mismatch'])
      const headers = { 'If-Match': '"2"', 'Idempotency-Key': randomUUID() }
      assert.deepEqual([(await revert(2, {}, headers)).body, (await revert(2, {}, headers)).body], [{ version: 3 }, { version: 3 }])
      assert.equal(await versionNow(), 3)
    })

    test('of a version that made no step is 404', async () => {
      await byline('Anna')
      await byline('Anna')
      for (const version of [1, 3, 4, 2_000_000_000]) assert.deepEqual(await refused(version), [404, 'version_not_found'], String(version))
    })

    test('of a file makes the one before the current one again', async () => {
      await exchangeFile(accounts.library, params.id)
      await byline('Anna')
      assert.deepEqual((await revert(2)).body, { version: 4 })
      const [entry] = (await history()).entries
      assert.deepEqual(
        [entry?.kind, entry?.file_number, entry?.before, entry?.actor],
        ['file', 3, { file_number: 2 }, { user_id: service.demo.user_id }],
      )
      assert.equal((await document()).byline, 'Anna')
      assert.deepEqual((await revert(4)).body, { version: 5 })
      assert.equal((await client['delete-file']({ params: { ...params, number: 1 } })).status, 200)
      assert.equal((await refused(2))[0], 404, 'the number is gone')
    })
  })
})
