import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/declaration/client.ts'
import { findUser, setMembership } from '../../shared/library/accounts/users.ts'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import { type CompanyId, toCliqueId, type UserId } from '../../shared/vocabulary/ids.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { upload, uploadAndImport } from '../support/uploading.ts'

type Client = ApiClient<typeof endpoints>

const { service, accounts, person } = await serviceWithAccounts()
const client = await service.client()
const company = service.demo.company_id

describe('cliques', () => {
  const createFolder = async (name: string, parent: number | null = null) =>
    (await client['create-folder']({ body: { name, parent } })).body.id
  const createClique = async (name = 'Clique') => (await client['create-clique']({ body: { name, svc_id: company } })).body.id
  const share = (id: number, folderId: number, body: { access: 'READ' | 'WRITE'; upload?: boolean | 'true' | 'false' }) =>
    client['share-folder-with-clique']({ params: { id, folderId }, body })
  const addMember = (id: number, userId: number) => client['add-clique-member']({ params: { id, userId } })
  const fileIn = async (folder: number, text: string) =>
    Number((await uploadAndImport(client, folder, Buffer.from(text), `${text}.txt`)).id)
  const join = async (userId: UserId, companyId: CompanyId, { admin = false } = {}) => {
    await joinCompany(accounts.library, userId, companyId)
    await setMembership(accounts.library, userId, { companyId, admin })
  }
  /** Waits for the job that ends the memberships of a deleted clique. */
  const freedOf = async (cliqueId: number, userId: UserId) => {
    await until(async () => !(await findUser(accounts, userId))?.cliques.includes(toCliqueId(cliqueId)))
  }
  const rightsOn = async (theirs: Client, id: number) => (await theirs['list-folders']({ query: { id } })).body[0]?.permissions.groups
  const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

  test('are made, listed by name, changed and deleted', async () => {
    const { status, body: made } = await client['create-clique']({ body: { name: ' Zu\u0308rich ', svc_id: company } })
    assert.equal(status, 200)
    assert.deepEqual(made, { id: made.id, name: 'Z\u00fcrich', svc_id: company, thumbnail_id: null })
    const ids = [made.id, await createClique('Clique 10'), await createClique('Clique 9')]
    const listed = async () => (await client['list-cliques']()).body.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
    assert.deepEqual(await listed(), ['Clique 9', 'Clique 10', 'Z\u00fcrich'])
    const change = async (body: { name?: string; svc_id?: number }) => client['change-clique']({ params: { id: made.id }, body })
    assert.deepEqual((await change({ name: 'Aachen' })).body, { ...made, name: 'Aachen' })
    assert.deepEqual((await change({})).body, { ...made, name: 'Aachen' }, 'what is not given stays')
    assert.deepEqual((await change({ svc_id: company })).body, { ...made, name: 'Aachen' })
    assert.deepEqual(await listed(), ['Aachen', 'Clique 9', 'Clique 10'])
    assert.deepEqual((await client['delete-clique']({ params: { id: made.id } })).body, {})
    assert.deepEqual(await listed(), ['Clique 9', 'Clique 10'])
    const params = { id: made.id }
    const gone = [
      change({ name: 'x' }),
      client['delete-clique']({ params }),
      client['list-clique-members']({ params }),
      client['list-clique-folders']({ params }),
      addMember(made.id, service.demo.user_id),
      share(made.id, service.demo.folder_id, { access: 'READ' }),
    ]
    assert.deepEqual(
      await Promise.all(gone.map(statusOf)),
      gone.map(() => 404),
    )
  })

  test('are managed by admins of their company only', async () => {
    const id = await createClique()
    const folder = await createFolder('Folder')
    await addMember(id, service.demo.user_id)
    await share(id, folder, { access: 'READ' })
    const [member, stranger] = [await person(), await person({ companyId: await accounts.company('Another'), admin: true })]
    const calls = (theirs: Client) => [
      theirs['create-clique']({ body: { name: 'x', svc_id: company } }),
      theirs['change-clique']({ params: { id }, body: { name: 'x' } }),
      theirs['list-clique-members']({ params: { id } }),
      theirs['add-clique-member']({ params: { id, userId: member.userId } }),
      theirs['remove-clique-member']({ params: { id, userId: service.demo.user_id } }),
      theirs['list-clique-folders']({ params: { id } }),
      theirs['share-folder-with-clique']({ params: { id, folderId: folder }, body: { access: 'WRITE' } }),
      theirs['unshare-folder']({ params: { id, folderId: folder } }),
      theirs['delete-clique']({ params: { id } }),
    ]
    assert.deepEqual(new Set(await Promise.all(calls(member.client).map(statusOf))), new Set([403]))
    assert.deepEqual(new Set(await Promise.all(calls(stranger.client).map(statusOf))), new Set([404]))
    await addMember(id, member.userId)
    assert.deepEqual(new Set(await Promise.all(calls(member.client).map(statusOf))), new Set([403]), 'its members neither')
    assert.equal((await member.client['list-cliques']()).status, 403)
    assert.deepEqual((await stranger.client['list-cliques']()).body, [])
    assert.equal((await client['create-clique']({ body: { name: 'x', svc_id: 1 } })).status, 404, 'unknown company')
    assert.equal((await client['list-clique-members']({ params: { id } })).body.length, 2, 'nothing has changed')
  })

  test('the picture is a file of the company that the caller may read, imported or not', async () => {
    const folder = await createFolder('Pictures')
    const file = await fileIn(folder, 'picture')
    const { status, body: clique } = await client['create-clique']({ body: { name: 'x', svc_id: company, thumbnail_id: file } })
    assert.deepEqual([status, clique.thumbnail_id], [200, file])
    const set = (thumbnail_id: number | null) => client['change-clique']({ params: { id: clique.id }, body: { thumbnail_id } })
    assert.equal((await set(1)).status, 404)
    assert.equal((await client['create-clique']({ body: { name: 'x', svc_id: company, thumbnail_id: 1 } })).status, 404)
    assert.equal((await client['change-clique']({ params: { id: clique.id }, body: { name: 'y' } })).body.thumbnail_id, file)
    assert.equal((await set(null)).body.thumbnail_id, null)
    const importing = await upload(client, folder, Buffer.from('new'), 'new.txt')
    assert.equal((await set(importing)).body.thumbnail_id, importing)

    const another = await accounts.company('Another')
    const admin = await person({ companyId: another, admin: true })
    const elsewhereFolder = (await admin.client['create-folder']({ body: { name: 'Elsewhere' } })).body.id
    const theirs = await upload(admin.client, elsewhereFolder, Buffer.from('theirs'), 'theirs.txt')
    assert.equal((await set(theirs)).status, 404, 'a file of strangers')
    await join(admin.userId, company, { admin: true })
    const answer = await admin.client['change-clique']({ params: { id: clique.id }, body: { thumbnail_id: theirs } })
    assert.equal(answer.status, 400, 'a file of another company of the caller')
    assert.equal((await set(file)).body.thumbnail_id, file)
    await client['remove-media']({ params: { id: file, folderId: folder } })
    const listed = (await client['list-cliques']()).body.find(({ id }) => id === clique.id)
    assert.equal(listed?.thumbnail_id, file, 'what was set, though the file is gone')
  })

  test('members are people of the company, each once, with an id for the membership', async () => {
    const id = await createClique()
    const [one, two] = [await accounts.user(), await accounts.user()]
    const members = async () => (await client['list-clique-members']({ params: { id } })).body
    assert.deepEqual(await members(), [])
    const { status, body: membership } = await addMember(id, one.userId)
    assert.equal(status, 200)
    assert.deepEqual(membership, { id: membership.id, user_id: one.userId, clique_id: id })
    assert.deepEqual((await addMember(id, one.userId)).body, membership, 'again')
    const { body: second } = await addMember(id, two.userId)
    assert.notEqual(second.id, membership.id)
    assert.deepEqual(
      await members(),
      [membership, second].sort((a, b) => a.user_id - b.user_id),
    )
    const stranger = await accounts.user({ companyId: await accounts.company('Another') })
    for (const userId of [stranger.userId, 1, 2 ** 31]) assert.equal((await addMember(id, userId)).status, 404)
    for (const userId of ['x', '1.5']) assert.equal((await client['add-clique-member']({ params: { id, userId } })).status, 400)
    const remove = (userId: number) => client['remove-clique-member']({ params: { id, userId } })
    const removed = await remove(one.userId)
    assert.deepEqual([removed.status, removed.body], [200, {}])
    assert.deepEqual(await Promise.all([one.userId, stranger.userId, 1].map((userId) => statusOf(remove(userId)))), [404, 404, 404])
    assert.deepEqual(await members(), [second])
  })

  test('shares are replaced, listed and withdrawn', async () => {
    const id = await createClique()
    const [a, b] = [await createFolder('A'), await createFolder('B')]
    const shares = async () => (await client['list-clique-folders']({ params: { id } })).body
    const answer = await share(id, a, { access: 'READ' })
    assert.deepEqual([answer.status, answer.body], [200, { folder_id: a, clique_id: id, permissions: ['READ'] }])
    for (const [body, permissions] of [
      [{ access: 'READ', upload: 'true' }, ['READ', 'UPLOAD']],
      [{ access: 'READ', upload: 'false' }, ['READ']],
      [{ access: 'READ', upload: false }, ['READ']],
      [{ access: 'WRITE' }, ['WRITE']],
      [{ access: 'WRITE', upload: true }, ['WRITE', 'UPLOAD']],
    ] as const) {
      assert.deepEqual((await share(id, a, body)).body.permissions, permissions)
    }
    await share(id, b, { access: 'READ' })
    const expected = [
      { folder_id: a, clique_id: id, permissions: ['WRITE', 'UPLOAD'] },
      { folder_id: b, clique_id: id, permissions: ['READ'] },
    ].sort((x, y) => x.folder_id - y.folder_id)
    assert.deepEqual(await shares(), expected)
    await client['move-folder-to-trash']({ params: { id: b } })
    assert.deepEqual(
      await shares(),
      expected.filter(({ folder_id }) => folder_id === a),
      'in a trashcan it gives nothing',
    )
    assert.equal((await share(id, b, { access: 'WRITE' })).status, 403, 'what lies in the own trashcan is not shared')
    await client['restore-folder']({ params: { id: b }, body: {} })
    assert.deepEqual(await shares(), expected)
    const unshare = (folderId: number) => client['unshare-folder']({ params: { id, folderId } })
    const withdrawn = await unshare(a)
    assert.deepEqual([withdrawn.status, withdrawn.body], [200, {}])
    assert.deepEqual([await statusOf(unshare(a)), await statusOf(unshare(1))], [404, 404])
    await client['delete-folder']({ params: { id: b } })
    assert.deepEqual(await shares(), [], 'a deleted folder is not listed')
    assert.equal((await share(id, b, { access: 'READ' })).status, 404)
  })

  test("what strangers, trashcans and others' trashcans hold is not shared", async () => {
    const id = await createClique()
    const stranger = await person({ companyId: await accounts.company('Another') })
    const theirs = (await stranger.client['create-folder']({ body: { name: 'Theirs' } })).body.id
    for (const folderId of [theirs, 1]) assert.equal((await share(id, folderId, { access: 'READ' })).status, 404)
    const fellow = await person()
    const trashcanOf = async (whose: Client) =>
      (await whose['list-folders']()).body.find(({ permissions }) => permissions.groups.includes('TRASH'))!.id
    assert.equal((await share(id, await trashcanOf(client), { access: 'READ' })).status, 403)
    assert.equal((await share(id, await trashcanOf(fellow.client), { access: 'READ' })).status, 404)
  })

  test('a member has what is shared, in everything below it, from their next request until it is withdrawn', async () => {
    const [top, member] = [await createFolder('Top'), await person()]
    const below = await createFolder('Below', top)
    const file = await fileIn(below, 'shared')
    const id = await createClique()
    const seen = async () => ({
      folder: await statusOf(member.client['get-folder']({ params: { id: below } })),
      media: await statusOf(member.client['get-media']({ params: { id: file } })),
      download: await statusOf(member.client['get-download-location']({ params: { id: file } })),
      rights: await rightsOn(member.client, below),
      hits: (await member.client['search-media']({ query: { unique_media_id: file, return_values: ['unique_media_id'] } })).body.response
        .hits,
      upload: await statusOf(member.client['register-upload']({ body: { folder: below } })),
      edit: await statusOf(member.client['set-title']({ params: { id: file }, body: { en: 'Title' } })),
    })
    const nothing = { folder: 404, media: 404, download: 404, rights: undefined, hits: 0, upload: 404, edit: 404 }
    const reading = { folder: 200, media: 200, download: 200, rights: ['READ'], hits: 1, upload: 403, edit: 403 }
    assert.deepEqual(await seen(), nothing)
    await addMember(id, member.userId)
    assert.deepEqual(await seen(), nothing, 'a member of a clique without shares')
    await share(id, top, { access: 'READ' })
    assert.deepEqual(await seen(), reading)
    await share(id, top, { access: 'READ', upload: 'true' })
    assert.deepEqual(await seen(), { ...reading, rights: ['READ', 'UPLOAD'], upload: 200 })
    await share(id, top, { access: 'WRITE' })
    assert.deepEqual(
      await seen(),
      { folder: 403, media: 403, download: 403, rights: ['WRITE'], hits: 0, upload: 200, edit: 200 },
      'WRITE does not imply READ',
    )
    await share(id, below, { access: 'READ' })
    assert.deepEqual(await seen(), { ...reading, rights: ['READ', 'WRITE'], upload: 200, edit: 200 }, 'the union along the chain')
    await client['unshare-folder']({ params: { id, folderId: top } })
    assert.deepEqual(await seen(), reading)
    await client['unshare-folder']({ params: { id, folderId: below } })
    assert.deepEqual(await seen(), nothing)

    await share(id, top, { access: 'READ' })
    assert.deepEqual(await seen(), reading)
    await client['remove-clique-member']({ params: { id, userId: member.userId } })
    assert.deepEqual(await seen(), nothing, 'no member any more')
    await addMember(id, member.userId)
    assert.deepEqual(await seen(), reading)
    await client['delete-clique']({ params: { id } })
    assert.deepEqual(await seen(), nothing, 'no clique any more')
    await freedOf(id, member.userId)
  })
})
