import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { MAX_TAGS } from '../../shared/library/folders/tags.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('folder tags', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const client = await service.client()

  const create = async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id
  const file = async (folder: number, name: string) => Number((await uploadAndImport(client, folder, Buffer.from(name), name)).id)
  const add = (id: number, tags: string[]) => client['add-folder-tags']({ params: { id }, body: tags })
  const own = async (id: number) => (await client['get-folder-tags']({ params: { id } })).body
  const tagsOf = async (id: number) => {
    const query = { unique_media_id: [id], return_values: ['folder_tags'] }
    return (await client['search-media']({ query })).body.response.media[0]?.folder_tags?.toSorted()
  }
  const found = async (q: string, more: Record<string, string> = {}) =>
    (await client['search-media']({ query: { q, return_values: ['unique_media_id'], ...more } })).body.response.media.map(
      ({ unique_media_id }) => unique_media_id,
    )

  test('are added once each, removed, and purged; every answer is the list as it is then', async () => {
    const folder = await create('Tagged')
    assert.deepEqual(await own(folder), [])
    assert.deepEqual((await add(folder, ['red', 'green', ' red '])).body, ['red', 'green'])
    assert.deepEqual((await add(folder, ['blue', 'e\u0301t\u00e9'])).body, ['red', 'green', 'blue', '\u00e9t\u00e9'])
    const removed = await client['remove-folder-tags']({ params: { id: folder }, body: ['green', 'e\u0301te\u0301', 'unknown'] })
    assert.deepEqual([removed.status, removed.body], [200, ['red', 'blue']])
    assert.deepEqual(await own(folder), ['red', 'blue'])
    const purged = await client['purge-folder-tags']({ params: { id: folder } })
    assert.deepEqual([purged.status, purged.body, await own(folder)], [200, [], []])
  })

  test('are inherited by all files in and below, and found at once', async () => {
    const top = await create('Top')
    const below = await create('Below', await create('Between', top))
    const [near, far] = [await file(top, 'near.txt'), await file(below, 'far.txt')]
    assert.deepEqual(await tagsOf(far), [])
    await add(top, ['zanzibar'])
    await add(below, ['pemba island', 'zanzibar'])
    assert.deepEqual([await tagsOf(near), await tagsOf(far)], [['zanzibar'], ['pemba island', 'zanzibar']])
    assert.deepEqual(new Set(await found('zanzi')), new Set([near, far]))
    assert.deepEqual(await found('PEMBA far'), [far])
    assert.deepEqual(await found('anziba', { query_type: 'wildcards' }).then((ids) => ids.length), 2)
    assert.deepEqual(await found('-pemba zanzibar'), [near])
    assert.deepEqual(await own(below), ['pemba island', 'zanzibar'], "a folder's list is its own")
    await client['remove-folder-tags']({ params: { id: top }, body: ['zanzibar'] })
    assert.deepEqual([await tagsOf(near), await found('zanzibar')], [[], [far]])
  })

  test('are gained and lost with moves, of files and of folders', async () => {
    const [tagged, plain, child] = [await create('Tagged'), await create('Plain'), await create('Child')]
    await add(tagged, ['kilimanjaro'])
    const [moved, inside] = [await file(plain, 'moved.txt'), await file(child, 'inside.txt')]
    await client['move-media']({ params: { id: moved }, body: { from: plain, to: tagged } })
    await client['change-folder']({ params: { id: child }, body: { parent: tagged } })
    assert.deepEqual(new Set(await found('kilimanjaro')), new Set([moved, inside]))
    await client['move-media']({ params: { id: moved }, body: { from: tagged, to: plain } })
    await client['change-folder']({ params: { id: child }, body: { parent: null } })
    assert.deepEqual([await found('kilimanjaro'), await tagsOf(moved), await tagsOf(inside)], [[], [], []])
    await client['copy-media']({ params: { id: moved, folderId: tagged } })
    assert.deepEqual(await tagsOf(moved), ['kilimanjaro'])
  })

  test("those of folders that one may not read, or in another's trashcan, neither find nor exclude", async () => {
    const { client: theirs, ...member } = await person()
    const readable = await create('Readable')
    await accounts.grant(readable, member.userId, ['READ'])
    const hidden = await create('Hidden')
    await add(hidden, ['ruwenzori'])
    const id = await file(readable, 'elgon.txt')
    await client['copy-media']({ params: { id, folderId: hidden } })
    const search = async (of: typeof client, q: string, more: Record<string, unknown> = {}) => {
      const { body } = await of['search-media']({ query: { q, return_values: ['unique_media_id'], ...more } })
      return body.response.media.map(({ unique_media_id }) => unique_media_id)
    }
    const seesNothing = async (of: typeof client, why: string) => {
      for (const more of [{}, { folder_ids: [readable] }, { folder_ids: [readable, hidden], recursive: 'true' }]) {
        assert.deepEqual(await search(of, 'ruwenzori', more), [], why)
        assert.deepEqual(await search(of, 'elgon -ruwenzori', more), [id], why)
      }
    }
    const seesTag = async (of: typeof client, more = {}) =>
      assert.deepEqual([await search(of, 'ruwenzori', more), await search(of, 'elgon -ruwenzori', more)], [[id], []])
    await seesNothing(theirs, 'no right')
    await accounts.grant(hidden, member.userId, ['WRITE', 'ADMIN'])
    await seesNothing(theirs, 'every right but READ')
    await accounts.grant(hidden, member.userId, ['READ'])
    await seesTag(theirs)
    await seesTag(theirs, { folder_ids: [readable] })
    await client['move-folder-to-trash']({ params: { id: hidden } })
    await seesNothing(theirs, "in another's trashcan")
    assert.deepEqual([await search(client, 'ruwenzori'), await search(client, 'elgon -ruwenzori')], [[], [id]])
    await seesTag(client, { folder_ids: [readable, hidden] })
  })

  test('reading needs READ, changing ADMIN', async () => {
    const { client: theirs, ...member } = await person()
    const id = await create('Rights')
    await add(id, ['kept'])
    const statuses = async () => [
      (await theirs['get-folder-tags']({ params: { id } })).status,
      (await theirs['add-folder-tags']({ params: { id }, body: ['new'] })).status,
      (await theirs['remove-folder-tags']({ params: { id }, body: ['kept'] })).status,
      (await theirs['purge-folder-tags']({ params: { id } })).status,
    ]
    assert.deepEqual(await statuses(), [404, 404, 404, 404])
    await accounts.grant(id, member.userId, ['READ', 'WRITE'])
    assert.deepEqual(await statuses(), [200, 403, 403, 403])
    assert.deepEqual(await own(id), ['kept'])
    await accounts.grant(id, member.userId, ['ADMIN'])
    assert.deepEqual(await statuses(), [403, 200, 200, 200])
  })

  test('what is no list of tags is refused, and nothing changes', async () => {
    const id = await create('Strict')
    const answer = async (body: unknown) => {
      const { status, body: said } = await client['add-folder-tags']({ params: { id }, body: body as string[] })
      return { status, code: (said as { code?: string }).code }
    }
    const send = async (body: unknown) => (await answer(body)).status
    for (const body of [undefined, {}, 'tag', [1], [['tag']]]) {
      assert.equal(await send(body), 400, JSON.stringify(body))
    }
    const many = Array.from({ length: MAX_TAGS }, (_, n) => `tag ${n}`)
    assert.equal(await send(many), 200)
    assert.deepEqual(await answer(['one more']), { status: 400, code: 'too_many_tags' })
    assert.deepEqual(await answer([...many, 'one more']), { status: 400, code: 'invalid_input' }, 'more than any folder can have')
    assert.equal((await own(id)).length, MAX_TAGS)
  })

  test('together they take 16 KB at most', async () => {
    const id = await create('Wordy')
    // 1,020 bytes each.
    const longest = Array.from({ length: 17 }, (_, n) => String.fromCodePoint(0x1f600 + n).repeat(255))
    assert.equal((await add(id, longest)).status, 400)
    assert.deepEqual(await own(id), [])
    assert.equal((await add(id, longest.slice(0, 16))).status, 200)
    assert.equal((await add(id, ['x'.repeat(16_384 - 16 * 1_020)])).status, 200)
    assert.equal((await add(id, ['y'])).status, 400)
    assert.equal((await own(id)).length, 17)
  })
})
