import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { service, accounts } = await serviceWithAccounts()
const client = await service.client()
const { folderId: cdnFolder } = await accounts.cdnFolder()

describe('a permanent folder', () => {
  const { company_id: company, folder_id: folder } = service.demo
  type Listed = Awaited<ReturnType<(typeof client)['list-folders']>>['body'][number]
  const flagged =
    (flag: 'TRASH' | 'PUBLIC') =>
    ({ permissions }: Listed) =>
      permissions.groups.includes(flag)
  const kinds: [name: string, is: (folder: Listed) => boolean, shared: 200 | 403][] = [
    ['trashcan', flagged('TRASH'), 403],
    ['public gallery', flagged('PUBLIC'), 200],
    ['CDN folder', ({ id }) => id === cdnFolder, 200],
  ]
  for (const [name, is, shared] of kinds) {
    const find = async () => (await client['list-folders']({})).body.find(is)!

    test(`the ${name} is not renamed, moved, deleted or thrown away`, async () => {
      const before = await find()
      assert.ok(before.permissions.groups.includes('PERMANENT'))
      const params = { id: before.id }
      assert.equal((await client['change-folder']({ params, body: { name: 'Renamed' } })).status, 403)
      assert.equal((await client['change-folder']({ params, body: { parent: folder } })).status, 403)
      assert.equal((await client['delete-folder']({ params })).status, 403)
      assert.equal((await client['move-folder-to-trash']({ params })).status, 403)
      assert.deepEqual(await find(), before)
    })

    test(`in the ${name} folders are made and files uploaded, it is tagged, and emptied`, async () => {
      const before = await find()
      const { id } = before
      const made = await client['create-folder']({ body: { name: 'Inside', parent: id } })
      assert.deepEqual([made.status, made.body.parent], [200, id])
      const file = Number((await uploadAndImport(client, id, Buffer.from('text'), 'text.txt')).id)
      const tags = { params: { id }, body: ['tag'] }
      assert.deepEqual((await client['add-folder-tags'](tags)).body, ['tag'])
      assert.deepEqual((await client['remove-folder-tags'](tags)).body, [])
      assert.equal((await client['purge-folder']({ params: { id } })).status, 200)
      assert.equal((await client['get-folder']({ params: { id: made.body.id } })).status, 404)
      assert.equal((await client['get-media']({ params: { id: file } })).status, 404)
      assert.deepEqual(await find(), before)
    })

    test(`sharing the ${name} with a clique is ${shared === 200 ? 'done' : 'refused'}`, async () => {
      const { body: clique } = await client['create-clique']({ body: { name: 'Clique', svc_id: company } })
      const params = { id: clique.id, folderId: (await find()).id }
      assert.equal((await client['share-folder-with-clique']({ params, body: { access: 'READ' } })).status, shared)
    })
  }
})
