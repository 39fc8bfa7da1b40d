import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('folders', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const client = await service.client()
  const create = async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id
  const list = async (query: Record<string, string | number>) => (await client['list-folders']({ query })).body

  test('the list says what each folder is and what the caller may do', async () => {
    const folders = await list({})
    const trash = folders.find(({ permissions }) => permissions.groups.includes('TRASH'))
    const gallery = folders.find(({ permissions }) => permissions.groups.includes('PUBLIC'))
    assert.ok(trash?.permissions.groups.includes('PERMANENT') && gallery?.permissions.groups.includes('PERMANENT'))
    assert.ok(folders.every(({ company_id, cover_photo_id }) => company_id === service.demo.company_id && cover_photo_id === null))
    assert.ok(!(await list({ exclude_per_user_system_folders: 'true' })).some(({ id }) => id === trash?.id))
  })

  test('filters and sorts', async () => {
    const parent = await create('Parent of sorted')
    const ids = [
      await create('ärger', parent),
      await create('Zebra', parent),
      await create('apfel 10', parent),
      await create('Apfel 9', parent),
    ]
    const names = async (query: Record<string, string | number>) => (await list({ parent, ...query })).map(({ name }) => name)
    assert.deepEqual(await names({}), ['Apfel 9', 'apfel 10', 'ärger', 'Zebra'])
    assert.deepEqual(await names({ sort_order: 'desc' }), ['Zebra', 'ärger', 'apfel 10', 'Apfel 9'])
    assert.equal((await names({ sort_by: 'created' })).length, 4)
    assert.deepEqual(await names({ q: 'ARGER' }), ['ärger'])
    assert.deepEqual(await names({ q: 'aerg' }), ['ärger'])
    assert.deepEqual(await names({ q: 'är\u00adger' }), ['ärger'])
    assert.deepEqual(
      (await list({ id: `${ids[0]}+${ids[1]}` })).map(({ id }) => id),
      [ids[0], ids[1]],
    )
    assert.deepEqual((await list({ id: `${ids[0]},${ids[3]},1` })).length, 2)
    assert.ok((await list({ parent: 'null' })).every(({ parent: above }) => above === null))
    assert.deepEqual(await list({ company_id: 1 }), [])
    for (const [name, value] of Object.entries({ sort_by: 'size', sort_order: 'up', parent: 'x', id: 'x' })) {
      assert.equal((await client['list-folders']({ query: { [name]: value } })).status, 400, name)
    }
  })

  test('a list by parent tells what lies in each folder; 0 are the topmost ones that the caller sees, the trashcan last', async () => {
    const parent = await create('Zzz with children')
    const [full, empty] = [await create('A full one', parent), await create('B empty', parent)]
    const below = await create('Below', full)
    await uploadAndImport(client, full, Buffer.from('one'), 'one.txt')
    await uploadAndImport(client, full, Buffer.from('two'), 'two.txt')
    await uploadAndImport(client, below, Buffer.from('three'), 'three.txt')
    const shown = async (query: Record<string, string | number>, of = client) =>
      ((await of['list-folders']({ query })).body ?? []).map(({ id, has_children, file_count }) => [id, has_children, file_count])
    assert.deepEqual(await shown({ parent }), [
      [full, true, 2],
      [empty, false, 0],
    ])
    const { headers } = await client['list-folders']({ query: { parent } })
    const known = { 'If-None-Match': headers.get('etag')! }
    assert.equal((await client['list-folders']({ query: { parent }, init: { headers: known } })).status, 304)
    await uploadAndImport(client, empty, Buffer.from('four'), 'four.txt')
    assert.deepEqual(
      (await client['list-folders']({ query: { parent }, init: { headers: known } })).body.map(({ file_count }) => file_count),
      [2, 1],
    )

    const top = await list({ parent: 0 })
    assert.ok(top.at(-1)?.permissions.groups.includes('TRASH'))
    assert.ok(top.every(({ parent: above }) => above === null) && top.some(({ id, has_children }) => id === parent && has_children))
    const turned = await list({ parent: 0, sort_order: 'desc' })
    assert.deepEqual(
      turned.map(({ id }) => id),
      [...top.slice(0, -1).reverse(), top.at(-1)!].map(({ id }) => id),
    )

    const { client: theirs, ...member } = await person()
    const ofMember = async (query: Record<string, string | number>) => shown(query, theirs)
    const [trash] = (await theirs['list-folders']({ query: { parent: 0 } })).body
    assert.ok(trash?.permissions.groups.includes('TRASH'))
    for (const id of [parent, full, 1]) assert.equal((await theirs['list-folders']({ query: { parent: id } })).status, 404)
    await accounts.grant(below, member.userId, ['READ'])
    await accounts.grant(empty, member.userId, ['WRITE'])
    assert.deepEqual(await ofMember({ parent: 0 }), [
      [empty, false, null],
      [below, false, 1],
      [trash!.id, false, 0],
    ])
    assert.deepEqual(await ofMember({ parent: 0, exclude_per_user_system_folders: 'true', q: 'below' }), [[below, false, 1]])
    await accounts.grant(full, member.userId, ['READ'])
    assert.deepEqual(await ofMember({ parent: 0, id: full }), [[full, true, 2]])
    assert.deepEqual(await ofMember({ parent: full }), [[below, false, 1]])
  })

  test('rename and move keep what is not given; parent null makes a root folder', async () => {
    const [top, below] = [await create('Top'), await create('Below')]
    const change = (body: object) => client['change-folder']({ params: { id: below }, body })
    assert.deepEqual((await change({ parent: top })).body.parent, top)
    assert.deepEqual((await change({ name: 'Renamed' })).body, {
      ...(await client['get-folder']({ params: { id: below } })).body,
      name: 'Renamed',
      parent: top,
    })
    assert.equal((await change({ parent: null })).body.parent, null)
    await change({ parent: top })
    for (const parent of [below, top]) {
      const answer = await client['change-folder']({ params: { id: top }, body: { parent: parent === top ? top : below } })
      assert.equal(answer.status, 400, 'below itself')
    }
    assert.equal((await change({ parent: 1 })).status, 404)
    assert.equal((await change({ parent: -5 })).status, 400)
  })

  test('a deleted tree is gone at once, and its files with it unless another folder holds them', async () => {
    const [top, kept] = [await create('Top'), await create('Kept')]
    const below = await create('Below', top)
    const lost = Number((await uploadAndImport(client, below, Buffer.from('lost'), 'lost.txt')).id)
    const saved = Number((await uploadAndImport(client, below, Buffer.from('saved'), 'saved.txt')).id)
    await client['copy-media']({ params: { id: saved, folderId: kept } })
    assert.equal((await client['delete-folder']({ params: { id: top } })).status, 200)
    for (const id of [top, below]) assert.equal((await client['get-folder']({ params: { id } })).status, 404)
    assert.equal((await client['get-media']({ params: { id: lost } })).status, 404)
    assert.equal((await client['register-upload']({ body: { folder: below } })).status, 404)
    const { body } = await client['search-media']({
      query: { unique_media_id: [lost, saved], return_values: ['unique_media_id', 'folder_ids'] },
    })
    assert.deepEqual(body.response.media, [{ unique_media_id: saved, folder_ids: [kept] }])
    assert.deepEqual((await client['list-media-folders']({ params: { id: saved } })).body, [{ group_id: kept, status: 'RELEASED' }])
  })

  test('the user who creates a folder has full rights on it', async () => {
    const { client: theirs, ...user } = await person()
    const { status, body: folder } = await theirs['create-folder']({ body: { name: 'Own' } })
    assert.equal(status, 200)
    const [listed] = (await theirs['list-folders']({ query: { id: folder.id } })).body
    assert.deepEqual(listed?.permissions.groups, ['READ', 'WRITE', 'ADMIN'])
    assert.equal((await theirs['create-folder']({ body: { name: 'x', parent: service.demo.folder_id } })).status, 404)
    await accounts.grant(service.demo.folder_id, user.userId, ['WRITE'])
    assert.equal((await theirs['get-folder']({ params: { id: service.demo.folder_id } })).status, 403, 'reading needs READ')
    assert.equal((await theirs['create-folder']({ body: { name: 'x', parent: service.demo.folder_id } })).status, 403)
  })
})
