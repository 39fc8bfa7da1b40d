import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { images } from '../support/pictures/index.ts'
import { emulatorLimit } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('preconditions of changes', async () => {
  const { person, accounts } = await serviceWithAccounts()
  const owner = await person()
  const folder = (await owner.client['create-folder']({ body: { name: 'Harbour' } })).body.id
  const file = async () => Number((await uploadAndImport(owner.client, folder, await images['plain.png'](), 'plain.png')).id)
  const ifMatch = (value: string) => ({ init: { headers: { 'If-Match': value } } })

  test('a file and its metadata tell their version', async () => {
    const params = { id: await file() }
    const tags = async () => {
      const answers = [await owner.client['get-media']({ params }), await owner.client['get-metadata']({ params })]
      return answers.map(({ headers }) => headers.get('etag'))
    }
    assert.deepEqual(await tags(), ['"1"', '"1"'])
    await owner.client['set-title']({ params, body: { en: 'Title' } })
    assert.deepEqual(await tags(), ['"2"', '"2"'])
  })

  test('every change of metadata is refused for another version, and writes nothing', async () => {
    const id = await file()
    const params = { id }
    const { client } = owner
    const changes = {
      'replace-metadata': () => client['replace-metadata']({ params, body: { title: { en: 'New' } }, ...ifMatch('"3"') }),
      'set-title': () => client['set-title']({ params, body: { en: 'New' }, ...ifMatch('"3"') }),
      'set-description': () => client['set-description']({ params, body: { en: 'New' }, ...ifMatch('"3"') }),
      'set-byline': () => client['set-byline']({ params, body: 'New', ...ifMatch('"3"') }),
      'set-copyright': () => client['set-copyright']({ params, body: 'New', ...ifMatch('"3"') }),
      'set-expiration-date': () => client['set-expiration-date']({ params, body: { expiration_date: '2031-05-06' }, ...ifMatch('"3"') }),
      'set-focal-point': () => client['set-focal-point']({ params, body: { x: 0.5, y: 0.5 }, ...ifMatch('"3"') }),
      'delete-expiration-date': () => client['delete-expiration-date']({ params, ...ifMatch('"3"') }),
      'add-keywords': () => client['add-keywords']({ params, body: { en: ['new'] }, ...ifMatch('"3"') }),
      'remove-keywords': () => client['remove-keywords']({ params, body: { en: ['old'] }, ...ifMatch('"3"') }),
      'replace-keywords': () => client['replace-keywords']({ params, body: { en: ['new'] }, ...ifMatch('"3"') }),
      'delete-keywords': () => client['delete-keywords']({ params, ...ifMatch('"3"') }),
    }
    await client['add-keywords']({ params, body: { en: ['old'] } })
    const before = (await client['get-media']({ params })).body
    for (const [name, change] of Object.entries(changes)) {
      const { status, body } = await change()
      const { code, version } = body as unknown as { code: string; version: number }
      assert.deepEqual([status, code, version], [412, 'version_mismatch', 2], name)
    }
    assert.deepEqual((await client['get-media']({ params })).body, before)
    assert.equal((await client['get-version']({ params })).body.version, 2)
  })

  test('the version at hand, one of several, and any version are taken; weak and unknown tags never match', async () => {
    const params = { id: await file() }
    const setTitle = async (value: string) => (await owner.client['set-title']({ params, body: { en: value }, ...ifMatch(value) })).status
    assert.equal(await setTitle('"1"'), 200)
    assert.equal(await setTitle('"1", "2"'), 200)
    assert.equal(await setTitle('"a,b" ,, "3",'), 200)
    assert.equal(await setTitle('*'), 200)
    for (const value of ['W/"5"', '"05"', '"abc"', '"1","2","3"', '"99999999999999999999"', '"5.0"', '""']) {
      assert.equal(await setTitle(value), 412, value)
    }
    for (const value of ['5', '', 'w/"5"', '"5', '5"', '"5" "6"', '*, "5"', ',', "'5'", '"1" , x'])
      assert.equal(await setTitle(value), 400, value)
    assert.equal((await owner.client['get-version']({ params })).body.version, 5)
  })

  test('of several files all must be at a version that is named', async () => {
    const [one, other] = [await file(), await file()]
    await owner.client['set-title']({ params: { id: other }, body: { en: 'Title' } })
    const add = (value: string) =>
      owner.client['add-keywords']({ params: { id: `${one},${other}` }, body: { en: ['new'] }, ...ifMatch(value) })
    const refused = await add('"1"')
    assert.deepEqual([refused.status, (refused.body as { version?: number }).version], [412, 2])
    assert.deepEqual((await owner.client['get-metadata']({ params: { id: one } })).body.keywords, {})
    assert.equal((await add('"1", "2"')).status, 200)
  })

  test('rights come first: who may not change a file learns nothing of its version', async () => {
    const params = { id: await file() }
    const [reader, stranger] = [await person(), await person()]
    await accounts.grant(folder, reader.userId, ['READ'])
    assert.equal((await reader.client['set-title']({ params, body: { en: 'x' }, ...ifMatch('"9"') })).status, 403)
    assert.equal((await stranger.client['set-title']({ params, body: { en: 'x' }, ...ifMatch('"9"') })).status, 404)
  })

  const crowd = emulatorLimit('answers too few requests a second for a hundred writers of one file')
  test('100 writers at the same time lose nothing, and each refusal wrote nothing', crowd, async () => {
    const params = { id: await file() }
    const { client } = owner
    let refusals = 0
    const write = async (keyword: string): Promise<void> => {
      const { headers, body } = await client['get-media']({ params })
      const keywords = { en: [...(body.metadata.keywords.en ?? []), keyword] }
      const answer = await client['replace-keywords']({ params, body: keywords, ...ifMatch(headers.get('etag')!) })
      if (answer.status === 200) return
      assert.ok([412, 409].includes(answer.status), String(answer.status))
      refusals += 1
      return write(keyword)
    }
    const wanted = Array.from({ length: 100 }, (_, n) => `keyword ${n}`)
    await Promise.all(wanted.map(write))
    const { body } = await client['get-metadata']({ params })
    assert.deepEqual(body.keywords.en!.toSorted(), wanted.toSorted())
    assert.equal((await client['get-version']({ params })).body.version, 101)
    assert.ok(refusals > 0)
  })
})
