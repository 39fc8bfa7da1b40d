import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { disableUser } from '../../shared/library/accounts/admins.ts'
import { setMembership } from '../../shared/library/accounts/users.ts'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import { toUserId } from '../../shared/vocabulary/ids.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { service, accounts, person } = await serviceWithAccounts()

describe('users', () => {
  /** A user of two companies, two others of the second one, and a stranger. */
  const neighbourhood = async () => {
    const [first, second] = [await accounts.company('First'), await accounts.company('Second')]
    const user = await person({ companyId: first })
    await joinCompany(accounts.library, user.userId, second)
    const [fellow, admin] = [await person({ companyId: second }), await person({ companyId: second, admin: true })]
    const stranger = await person({ companyId: await accounts.company('Third'), admin: true })
    return { first, second, user, fellow, admin, stranger }
  }

  const create = async ({ client }: Person, name: string, companyId: number) =>
    (await client['create-folder']({ body: { name, parent: null, company_id: companyId } })).body.id

  test('whoami tells the caller who they are, with all their companies, their own first', async () => {
    const { user, first, second } = await neighbourhood()
    const { status, body } = await user.client.whoami()
    assert.equal(status, 200)
    assert.match(body.created, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    assert.deepEqual(body, {
      id: user.userId,
      fullname: user.username,
      username: user.username,
      company_id: first,
      companies: [first, second],
      created: body.created,
    })
    assert.deepEqual((await user.client['get-user']({ params: { id: user.userId } })).body, body)
  })

  test('a user is told of to those they share a company with, and only what is shared', async () => {
    const { user, fellow, admin, stranger, second } = await neighbourhood()
    const { body: own } = await user.client.whoami()
    for (const { client } of [fellow, admin]) {
      const { status, body } = await client['get-user']({ params: { id: user.userId } })
      assert.deepEqual([status, body], [200, { ...own, company_id: second, companies: [second] }])
    }
    assert.equal((await stranger.client['get-user']({ params: { id: user.userId } })).status, 404)
    assert.equal((await user.client['get-user']({ params: { id: stranger.userId } })).status, 404)
    assert.equal((await user.client['get-user']({ params: { id: 1 } })).status, 404)
    await disableUser(accounts.library, user.userId)
    assert.equal((await fellow.client['get-user']({ params: { id: user.userId } })).status, 200, 'files name who uploaded them')
    assert.equal((await user.client.whoami()).status, 401)
  })

  for (const name of ['list-user-folders', 'list-user-cliques', 'get-user-disk-usage'] as const) {
    test(`${name} answers the user themself and admins of their companies`, async () => {
      const { user, fellow, admin, stranger, second } = await neighbourhood()
      const ask = async ({ client }: Pick<Person, 'client'>, id = user.userId) => (await client[name]({ params: { id } })).status
      assert.deepEqual([await ask(user), await ask(admin), await ask(fellow), await ask(stranger)], [200, 200, 403, 404])
      assert.equal(await ask(user, fellow.userId), 403)
      assert.equal(await ask(admin, toUserId(1)), 404)
      const application = { client: await service.client(hmacAuthorization(await accounts.key(['downloads']))) }
      assert.equal(await ask(application, service.demo.user_id), 401)
      await setMembership(accounts.library, admin.userId, { companyId: second, admin: false })
      assert.equal(await ask(admin), 403, 'who is admin no more')
    })
  }

  test("one's own folders: those of all companies by name, the trashcans among them; ids are strings, parents numbers", async () => {
    const { user, first, second } = await neighbourhood()
    const [ten, nine] = [await create(user, 'Folder 10', first), await create(user, 'folder 9', second)]
    const { body: below } = await user.client['create-folder']({ body: { name: 'Below', parent: ten } })
    const { body: folders } = await user.client['list-user-folders']({ params: { id: user.userId } })
    assert.deepEqual(
      folders.slice(0, 3).map(({ id, company_id, parent }) => ({ id, company_id, parent })),
      [
        { id: String(below.id), company_id: String(first), parent: ten },
        { id: String(nine), company_id: String(second), parent: null },
        { id: String(ten), company_id: String(first), parent: null },
      ],
    )
    assert.deepEqual(
      folders.slice(3).map(({ permissions }) => permissions.groups.includes('TRASH')),
      [true, true],
    )
    const { body: listed } = await user.client['list-folders']({ query: { id: ten } })
    const { company_id, id, ...rest } = listed[0]!
    assert.deepEqual(
      folders.find((folder) => folder.id === String(ten)),
      { ...rest, id: String(id), company_id: String(company_id) },
    )
  })

  test('folders of another: what they see in the companies that the admin administers, without their trashcan and what lies there', async () => {
    const { user, admin, first, second } = await neighbourhood()
    await create(user, 'In first', first)
    const shared = await create(user, 'In second', second)
    const hidden = await create(admin, 'Not theirs', second)
    const read = await create(admin, 'To read', second)
    await accounts.grant(read, user.userId, ['READ'])
    await user.client['move-folder-to-trash']({ params: { id: await create(user, 'Trashed', second) } })
    const { body: folders } = await admin.client['list-user-folders']({ params: { id: user.userId } })
    assert.deepEqual(
      folders.map(({ id, permissions }) => [id, permissions.groups]),
      [
        [String(shared), ['READ', 'WRITE', 'ADMIN']],
        [String(read), ['READ']],
      ],
    )
    assert.ok(!folders.some(({ id }) => id === String(hidden)))
  })

  test('cliques: those of all companies by name, for an admin those of their companies; a deleted one is gone', async () => {
    const { user, admin, first, second } = await neighbourhood()
    await setMembership(accounts.library, admin.userId, { companyId: first, admin: true })
    const join = async (name: string, companyId: number) => {
      const { body: clique } = await admin.client['create-clique']({ body: { name, svc_id: companyId } })
      await admin.client['add-clique-member']({ params: { id: clique.id, userId: user.userId } })
      return clique
    }
    const [ten, nine, other] = [await join('Clique 10', first), await join('clique 9', first), await join('Another', second)]
    await admin.client['create-clique']({ body: { name: 'Of others', svc_id: second } })
    await setMembership(accounts.library, admin.userId, { companyId: first, admin: false })
    const cliques = async ({ client }: Person) => (await client['list-user-cliques']({ params: { id: user.userId } })).body
    assert.deepEqual(await cliques(user), [other, nine, ten])
    assert.deepEqual(await cliques(admin), [other])
    assert.deepEqual(Object.keys(other).sort(), ['id', 'name', 'svc_id', 'thumbnail_id'])
    await admin.client['delete-clique']({ params: { id: other.id } })
    assert.deepEqual(await cliques(user), [nine, ten])
  })

  test("disk usage: the user's own files in every company, for an admin in those that they administer", async () => {
    const { user, admin, first, second } = await neighbourhood()
    const usage = async ({ client }: Person) => (await client['get-user-disk-usage']({ params: { id: user.userId } })).body
    assert.deepEqual(await usage(user), { bytes: 0, files: 0, version_bytes: 0 })
    const [inFirst, inSecond] = [await create(user, 'In first', first), await create(user, 'In second', second)]
    const kept = Number((await uploadAndImport(user.client, inFirst, Buffer.from('1'), 'a.txt')).id)
    await uploadAndImport(user.client, inSecond, Buffer.from('22'), 'b.txt')
    await uploadAndImport(admin.client, inSecond, Buffer.from('333'), 'of another.txt')
    assert.deepEqual(await usage(user), { bytes: 3, files: 2, version_bytes: 0 })
    assert.deepEqual(await usage(admin), { bytes: 2, files: 1, version_bytes: 0 })
    await user.client['remove-media']({ params: { id: kept, folderId: inFirst } })
    assert.deepEqual(await usage(user), { bytes: 2, files: 1, version_bytes: 0 })
  })
})
