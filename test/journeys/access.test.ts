import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { disableUser } from '../../shared/library/accounts/admins.ts'
import { toUserId } from '../../shared/vocabulary/ids.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('who has rights, and why', async () => {
  const { person, accounts, service } = await serviceWithAccounts()
  const companyId = await accounts.company('Harbour')
  const admin = await person({ companyId, admin: true, username: 'admin@harbour.example' })
  const [owner, member, outsider] = [await person({ companyId }), await person({ companyId }), await person({ companyId })]
  const create = async (name: string, parent: number | null = null) =>
    (await owner.client['create-folder']({ body: { name, parent } })).body.id
  const top = await create('Top')
  const below = await create('Below', top)
  const cliqueId = (await admin.client['create-clique']({ body: { name: 'Crew', svc_id: companyId } })).body.id
  await admin.client['add-clique-member']({ params: { id: cliqueId, userId: member.userId } })
  await admin.client['share-folder-with-clique']({ params: { id: cliqueId, folderId: top }, body: { access: 'READ', upload: 'true' } })
  const folderAccess = (of: Person, id: number) => of.client['get-folder-access']({ params: { id } })
  const whoOf = ({ body }: Awaited<ReturnType<typeof folderAccess>>) => new Map(body.users.map((user) => [user.user_id, user]))

  test('grants, shares and admins are told, from where they come', async () => {
    await accounts.grant(below, member.userId, ['WRITE'])
    const who = whoOf(await folderAccess(owner, below))
    assert.deepEqual([...who.keys()].toSorted(), [admin.userId, owner.userId, member.userId].toSorted())
    const adminFlags = ['READ', 'WRITE', 'ADMIN']
    assert.deepEqual(who.get(admin.userId)!.by, [{ flags: adminFlags, how: 'admin', folder_id: null }])
    assert.equal(who.get(admin.userId)!.username, 'admin@harbour.example')
    const member_ = who.get(member.userId)!
    assert.deepEqual(member_.flags, ['READ', 'WRITE', 'UPLOAD'])
    assert.deepEqual(member_.by, [
      { flags: ['WRITE'], how: 'grant', folder_id: below },
      { flags: ['READ', 'UPLOAD'], how: 'clique', folder_id: top, clique_id: cliqueId },
    ])
  })

  test('needs ADMIN: others are refused, and see nothing of what they see nothing of', async () => {
    assert.equal((await folderAccess(member, below)).status, 403)
    assert.equal((await folderAccess(outsider, below)).status, 404)
  })

  test('disabled users are left out', async () => {
    const former = await person({ companyId })
    await accounts.grant(below, former.userId, ['READ'])
    assert.ok(whoOf(await folderAccess(owner, below)).has(former.userId))
    await disableUser(accounts.library, toUserId(former.userId))
    assert.ok(!whoOf(await folderAccess(owner, below)).has(former.userId))
  })

  test('a folder grants rights to a user of its company, and takes them away, for who has ADMIN on it', async () => {
    const newcomer = await person({ companyId })
    const id = await create('Granted')
    const grant = (by: Person, userId: number, flags: ('READ' | 'WRITE' | 'UPLOAD' | 'ADMIN')[]) =>
      by.client['set-folder-access']({ params: { id, userId }, body: { flags } })
    assert.equal((await grant(newcomer, newcomer.userId, ['READ'])).status, 404)
    const granted = await grant(owner, newcomer.userId, ['UPLOAD', 'READ'])
    assert.deepEqual([granted.status, granted.body], [200, { folder_id: id, user_id: newcomer.userId, flags: ['READ', 'UPLOAD'] }])
    assert.deepEqual(whoOf(await folderAccess(owner, id)).get(newcomer.userId)?.by, [
      { flags: ['READ', 'UPLOAD'], how: 'grant', folder_id: id },
    ])
    assert.equal((await grant(newcomer, newcomer.userId, ['ADMIN'])).status, 403)
    assert.deepEqual((await grant(owner, newcomer.userId, ['ADMIN'])).body.flags, ['ADMIN'])
    assert.equal((await grant(newcomer, newcomer.userId, [])).status, 200)
    assert.equal((await folderAccess(newcomer, id)).status, 404)

    const stranger = await person({ companyId: await accounts.company('Elsewhere') })
    assert.equal((await grant(owner, stranger.userId, ['READ'])).status, 404)
    await owner.client['move-folder-to-trash']({ params: { id } })
    assert.equal((await grant(owner, newcomer.userId, ['READ'])).status, 403)
  })

  test('what lies in a trashcan is its owner\u2019s alone', async () => {
    const id = await create('Thrown away')
    await owner.client['move-folder-to-trash']({ params: { id } })
    const [first, ...others] = (await folderAccess(owner, id)).body.users
    const { trashed_at: _, parent } = (await owner.client['get-folder']({ params: { id } })).body
    assert.deepEqual([first?.user_id, others], [owner.userId, []])
    assert.deepEqual(first?.by, [{ flags: ['READ', 'WRITE', 'ADMIN'], how: 'grant', folder_id: parent }])
    assert.equal((await folderAccess(admin, id)).status, 404)
  })

  test('of a file all folders count, and a read-only pointer passes READ alone', async () => {
    const id = Number((await uploadAndImport(owner.client, below, Buffer.from('x'), 'x.txt')).id)
    const [reader] = [await person({ companyId })]
    await accounts.grant(below, reader.userId, ['READ'])
    const own = (await reader.client['create-folder']({ body: { name: 'Own' } })).body.id
    await reader.client['copy-media']({ params: { id, folderId: own } })
    const { body, status } = await owner.client['get-media-access']({ params: { id } })
    assert.equal(status, 200)
    const who = new Map(body.users.map((user) => [user.user_id, user]))
    assert.deepEqual(who.get(reader.userId)!.flags, ['READ'])
    assert.deepEqual(
      who.get(reader.userId)!.by.map(({ flags, folder_id }) => [flags, folder_id]),
      [
        [['READ'], below],
        [['READ'], own],
      ],
    )
    assert.deepEqual(who.get(admin.userId)!.by, [{ flags: ['READ', 'WRITE', 'ADMIN'], how: 'admin', folder_id: null }])
    assert.equal((await reader.client['get-media-access']({ params: { id } })).status, 403)
    assert.equal((await outsider.client['get-media-access']({ params: { id } })).status, 404)
    assert.equal(service.log.filter((line) => line.includes('"level":"error"')).length, 0)
  })
})
