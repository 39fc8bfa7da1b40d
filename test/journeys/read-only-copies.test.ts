import assert from 'node:assert/strict'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import type { Right } from '../../shared/library/tree/folder.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { accounts, person } = await serviceWithAccounts()

/** A copy gives no more rights than the user who made it had. */
describe('a file copied by somebody who may only read it', () => {
  let companyId: CompanyId
  let admin: Person
  let reader: Person
  let editor: Person
  /** The file is here: the reader has READ, the editor READ and WRITE. */
  let shared: number
  /** Folders of the reader's own. */
  let own: number
  let second: number
  let id: number
  beforeAll(async () => {
    companyId = await accounts.company('Company')
    admin = await person({ companyId, admin: true })
    reader = await person({ companyId })
    editor = await person({ companyId })
  })
  beforeEach(async () => {
    shared = await folder(admin)
    own = await folder(reader)
    second = await folder(reader)
    await accounts.grant(shared, reader.userId, ['READ'])
    await accounts.grant(shared, editor.userId, ['READ', 'WRITE'])
    id = Number((await uploadAndImport(admin.client, shared, Buffer.from('text'), 'text.txt')).id)
  })

  const folder = async ({ client }: Person, parent: number | null = null) =>
    (await client['create-folder']({ body: { name: 'Folder', parent, company_id: companyId } })).body.id
  const copy = async ({ client }: Person, folderId: number) => (await client['copy-media']({ params: { id, folderId } })).status
  const move = async ({ client }: Person, from: number, to: number) =>
    (await client['move-media']({ params: { id }, body: { from, to } })).status
  const replace = async ({ client }: Person, ...folders: number[]) =>
    (await client['replace-media-folders']({ params: { id }, body: folders.map((group_id) => ({ group_id })) })).status
  const trash = async ({ client }: Person, folderId: number) => (await client['move-media-to-trash']({ params: { id, folderId } })).status
  const remove = async ({ client }: Person, folderId: number) => (await client['remove-media']({ params: { id, folderId } })).status
  const edit = async ({ client }: Person) => (await client['set-title']({ params: { id }, body: { en: 'Title' } })).status
  const read = async ({ client }: Person) => (await client['get-media']({ params: { id } })).status
  const grant = (to: Person, folderId: number, ...rights: Right[]) => accounts.grant(folderId, to.userId, rights)
  const trashcanOf = async ({ client }: Person) =>
    (await client['list-folders']({})).body.find(({ permissions }) => permissions.groups.includes('TRASH'))!.id

  test('is theirs to read and to place, and not to edit', async () => {
    assert.equal(await edit(reader), 403)
    assert.equal(await copy(reader, own), 200)
    assert.equal(await read(reader), 200)
    const params = { id }
    const { client } = reader
    const edits = [
      client['replace-metadata']({ params, body: {} }),
      client['set-title']({ params, body: {} }),
      client['set-description']({ params, body: {} }),
      client['set-byline']({ params, body: '' }),
      client['set-copyright']({ params, body: '' }),
      client['set-expiration-date']({ params, body: { expiration_date: '2030-01-01' } }),
      client['delete-expiration-date']({ params }),
      client['set-focal-point']({ params, body: null }),
      client['add-keywords']({ params, body: { en: ['word'] } }),
      client['remove-keywords']({ params, body: { en: ['word'] } }),
      client['replace-keywords']({ params, body: {} }),
      client['delete-keywords']({ params }),
    ]
    for (const { status } of await Promise.all(edits)) assert.equal(status, 403)
    assert.equal((await admin.client['get-version']({ params })).body.version, 1, 'nothing has changed')
    await grant(reader, shared)
    assert.deepEqual([await read(reader), await edit(reader)], [200, 403], 'also when the right to read the original is withdrawn')
    assert.equal(await remove(reader, own), 200, 'the pointer in their folder is theirs')
  })

  test('stays so in whatever folder they put it: copied on, moved, by the set of its folders', async () => {
    assert.equal(await copy(reader, own), 200)
    assert.equal(await copy(reader, second), 200)
    assert.equal(await copy(reader, own), 200, 'placing it again lifts nothing for who may not edit it')
    assert.equal(await edit(reader), 403)
    const third = await folder(reader, own)
    assert.equal(await move(reader, own, third), 200)
    assert.equal(await move(reader, third, second), 200, 'on top of another of theirs')
    assert.equal(await edit(reader), 403)
    assert.equal(await replace(reader, own, third, shared), 200)
    assert.equal(await edit(reader), 403)
    assert.equal(await remove(reader, third), 200)
    assert.equal(await copy(reader, third), 200, 'made anew')
    assert.equal(await edit(reader), 403)
  })

  test('stays so through their trashcan, as what they threw away and restored', async () => {
    await copy(reader, own)
    assert.equal(await trash(reader, own), 200)
    assert.equal(await edit(reader), 403)
    assert.equal(await move(reader, await trashcanOf(reader), own), 200)
    assert.equal(await edit(reader), 403)
  })

  test('stays so when the folder with it is moved, thrown away, restored and shared', async () => {
    await copy(reader, own)
    const at = async (parent: number | null) => reader.client['change-folder']({ params: { id: own }, body: { parent } })
    for (const step of [
      () => at(second),
      () => reader.client['move-folder-to-trash']({ params: { id: own } }),
      () => at(null),
      () => grant(editor, own, 'READ', 'WRITE'),
      () => grant(editor, shared),
    ]) {
      await step()
      assert.equal(await edit(reader), 403)
    }
    assert.deepEqual([await read(editor), await edit(editor)], [200, 403], 'it gives nobody more, in the folder where they may write')
  })

  test('gives members of a clique no more', async () => {
    await copy(reader, own)
    const member = await person({ companyId })
    const { id: clique } = (await admin.client['create-clique']({ body: { name: 'Clique', svc_id: companyId } })).body
    await admin.client['add-clique-member']({ params: { id: clique, userId: member.userId } })
    const share = (folderId: number, access: 'READ' | 'WRITE') =>
      admin.client['share-folder-with-clique']({ params: { id: clique, folderId }, body: { access } })
    await share(own, 'WRITE')
    assert.deepEqual([await read(member), await edit(member)], [403, 403], 'WRITE on the folder alone: there, and not to be read')
    await share(own, 'READ')
    assert.deepEqual([await read(member), await edit(member)], [200, 403])
    await share(shared, 'WRITE')
    assert.equal(await edit(member), 200, 'by the folder from which it was copied')
  })

  test('gives all that its folder gives once somebody who may edit it has placed it there again', async () => {
    await copy(reader, own)
    await grant(editor, own, 'WRITE')
    assert.equal(await replace(editor, shared, own), 200)
    assert.equal(await edit(reader), 403, 'naming a folder that holds it leaves it as it is')
    assert.equal(await copy(editor, own), 200)
    assert.equal(await edit(reader), 200)
    await grant(reader, shared)
    assert.equal(await edit(reader), 200)
    assert.equal(await copy(reader, second), 200)
    await remove(reader, own)
    assert.equal(await edit(reader), 200, 'what they copy now gives all, too')
  })

  test('is lifted by WRITE on it alone, without READ; a new copy needs READ', async () => {
    await copy(reader, own)
    await grant(editor, own, 'WRITE')
    await grant(editor, shared, 'WRITE')
    const other = await folder(admin)
    await grant(editor, other, 'WRITE')
    assert.equal(await copy(editor, other), 403)
    assert.equal(await copy(editor, own), 200)
    assert.equal(await edit(reader), 200)
  })

  test('a full pointer stays full where a read-only one is copied or moved onto it', async () => {
    await copy(reader, own)
    await grant(editor, second, 'READ', 'WRITE')
    await copy(editor, second)
    assert.equal(await edit(reader), 200)
    assert.equal(await copy(reader, second), 200)
    assert.equal(await edit(reader), 200)
    assert.equal(await move(reader, own, second), 200)
    assert.equal(await edit(reader), 200)
  })

  test('a full pointer that is moved onto a read-only one makes that full', async () => {
    await copy(reader, own)
    await grant(editor, own, 'WRITE')
    assert.equal(await move(editor, shared, own), 200)
    assert.equal(await edit(reader), 200)
  })

  test('what was copied by who may edit it, or uploaded, gives all', async () => {
    const theirs = await folder(editor)
    await copy(editor, theirs)
    await grant(editor, shared)
    assert.equal(await edit(editor), 200)
    const { client } = reader
    const uploaded = (await uploadAndImport(client, own, Buffer.from('own'), 'own.txt')).id
    assert.equal((await client['set-title']({ params: { id: uploaded }, body: { en: 'Own' } })).status, 200)
  })

  test('stays so when its other pointers are gone: then admins of the company may edit it, and lift that', async () => {
    await copy(reader, own)
    assert.equal(await trash(editor, shared), 200)
    assert.equal(await edit(reader), 403)
    assert.equal(await edit(editor), 200, "it is in the editor's trashcan, whole")
    await editor.client['purge-folder']({ params: { id: await trashcanOf(editor) } })
    assert.deepEqual([await read(reader), await edit(reader)], [200, 403])
    assert.equal(await edit(editor), 404)
    assert.equal(await edit(admin), 200)
    assert.equal(await copy(admin, own), 200)
    assert.equal(await edit(reader), 200)
  })
})
