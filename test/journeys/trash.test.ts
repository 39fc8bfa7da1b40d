import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/declaration/client.ts'
import { TRASH_DAYS } from '../../shared/library/tree/trash.ts'
import { provisioning } from '../support/accounts.ts'
import { elsewhere, startService } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { upload, uploadAndImport } from '../support/uploading.ts'

type Client = ApiClient<typeof endpoints>

describe('trash', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const client = await service.client()
  const trashcanOf = async (of: Client) =>
    (await of['list-folders']({})).body.find(({ permissions }) => permissions.groups.includes('TRASH'))!.id
  const trash = await trashcanOf(client)
  const create = async (name: string, parent: number | null = null) => (await client['create-folder']({ body: { name, parent } })).body.id
  const file = async (folder: number, name: string) => Number((await uploadAndImport(client, folder, Buffer.from(name), name)).id)
  const foldersOf = async (id: number) => (await client['list-media-folders']({ params: { id } })).body.map(({ group_id }) => group_id)
  const statusOf = async (id: number) => (await client['get-media']({ params: { id } })).status
  const throwAway = (id: number, folderId: number) => client['move-media-to-trash']({ params: { id, folderId } })
  const found = async (query: Record<string, unknown>) => {
    const { body } = await client['search-media']({ query: { return_values: ['unique_media_id'], ...query } })
    assert.equal(body.response.hits, body.response.media.length)
    return body.response.media.map(({ unique_media_id }) => unique_media_id)
  }

  test('a file goes to the trashcan of the user who throws it away, and from there for good', async () => {
    const folder = await create('Folder')
    const id = await file(folder, 'thrown away.txt')
    assert.deepEqual([(await throwAway(id, folder)).status, (await throwAway(id, folder)).status], [200, 404])
    assert.deepEqual(await foldersOf(id), [trash])
    assert.equal(await statusOf(id), 200)
    assert.deepEqual((await throwAway(id, trash)).body, {})
    assert.equal(await statusOf(id), 404)
  })

  test('trashed files appear in no search but those that name the trashcan or a folder in it', async () => {
    const folder = await create('Searched')
    const below = await create('Below', folder)
    const [loose, inside] = [await file(folder, 'quetzal loose.txt'), await file(below, 'quetzal inside.txt')]
    assert.equal((await found({ q: 'quetzal' })).length, 2)
    await throwAway(loose, folder)
    await client['move-folder-to-trash']({ params: { id: folder } })
    assert.deepEqual(await found({ q: 'quetzal' }), [])
    assert.deepEqual(await found({ unique_media_id: [loose, inside] }), [])
    assert.deepEqual(await found({ q: 'quetzal', folder_ids: [trash] }), [loose])
    assert.deepEqual(await found({ folder_ids: [below] }), [inside])
    assert.equal((await found({ q: 'quetzal', folder_ids: [trash], recursive: 'true' })).length, 2)
  })

  test('a folder in the trashcan, however deep, is deleted by throwing it away again', async () => {
    const top = await create('Top')
    const child = await create('Child', top)
    const id = await file(child, 'deep.txt')
    assert.equal((await client['move-folder-to-trash']({ params: { id: top } })).status, 200)
    assert.equal((await client['move-folder-to-trash']({ params: { id: child } })).status, 200)
    assert.equal((await client['get-folder']({ params: { id: child } })).status, 404)
    assert.equal(await statusOf(id), 404)
    assert.equal((await client['get-folder']({ params: { id: top } })).status, 200)
    assert.equal((await client['delete-folder']({ params: { id: top } })).status, 200)
    assert.equal((await client['move-folder-to-trash']({ params: { id: top } })).status, 404)
  })

  test("what lies in a trashcan is its owner's alone, and shares give nothing until it is restored", async () => {
    const [member, admin] = [await accounts.user(), await accounts.user({ admin: true })]
    const [theirs, fellows] = [await service.client(member.authorization), await service.client(admin.authorization)]
    const folder = await create('Shared')
    const id = await file(folder, 'shared.txt')
    await accounts.grant(folder, member.userId, ['READ', 'WRITE', 'ADMIN'])
    await client['move-folder-to-trash']({ params: { id: folder } })
    for (const other of [theirs, fellows]) {
      assert.equal((await other['get-folder']({ params: { id: folder } })).status, 404)
      assert.equal((await other['get-media']({ params: { id } })).status, 404)
      assert.equal((await other['move-folder-to-trash']({ params: { id: folder } })).status, 404)
      assert.equal((await other['list-folders']({ query: { id: trash } })).body.length, 0)
      assert.equal((await other['register-upload']({ body: { folder: trash } })).status, 404)
    }
    await client['change-folder']({ params: { id: folder }, body: { parent: null } })
    assert.equal((await theirs['get-media']({ params: { id } })).status, 200)
    // A user who throws a shared folder away has it in their own trashcan.
    assert.equal((await theirs['move-folder-to-trash']({ params: { id: folder } })).status, 200)
    assert.equal((await theirs['get-folder']({ params: { id: folder } })).body.parent, await trashcanOf(theirs))
    assert.equal((await client['get-folder']({ params: { id: folder } })).status, 404)
  })

  describe('restoring', () => {
    const restore = (id: number, folder?: number, from = trash) =>
      client['restore-media']({ params: { id }, body: { from, ...(folder !== undefined && { folder }) } })
    const trashedValues = async (id: number) => {
      const { body } = await client['search-media']({
        query: { folder_ids: [trash], unique_media_id: [id], return_values: ['trashed_at', 'trashed_from'] },
      })
      return body.response.media
    }
    const parentOf = async (id: number) => (await client['get-folder']({ params: { id } })).body.parent

    test('a file goes back to where it was when it was thrown away last', async () => {
      const [one, two] = [await create('One'), await create('Two')]
      const id = await file(one, 'restored.txt')
      await client['copy-media']({ params: { id, folderId: two } })
      await throwAway(id, one)
      await throwAway(id, two)
      const [values] = await trashedValues(id)
      assert.match(values!.trashed_at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.ok(Math.abs(Date.parse(values!.trashed_at!) - Date.now()) < 600_000)
      assert.equal(values!.trashed_from, two)
      assert.deepEqual((await client['move-media']({ params: { id }, body: { from: trash, to: trash } })).body, {})
      assert.deepEqual((await restore(id)).body, { folder_id: two })
      assert.deepEqual(await foldersOf(id), [two])
      const again = await restore(id)
      assert.deepEqual([again.status, again.body], [404, { ...again.body, code: 'media_not_found' }])
      const { body } = await client['search-media']({ query: { unique_media_id: [id], return_values: ['trashed_at', 'trashed_from'] } })
      assert.deepEqual(body.response.media, [{ trashed_at: null, trashed_from: null }])
    })

    test('a file whose folder is gone goes where the caller says', async () => {
      const [gone, thrown, other] = [await create('Gone'), await create('Thrown'), await create('Other')]
      const ids = [await file(gone, 'gone.txt'), await file(thrown, 'thrown.txt')]
      await throwAway(ids[0]!, gone)
      await throwAway(ids[1]!, thrown)
      await client['delete-folder']({ params: { id: gone } })
      await client['move-folder-to-trash']({ params: { id: thrown } })
      for (const id of ids) {
        const refused = await restore(id)
        assert.deepEqual([refused.status, refused.body], [409, { ...refused.body, code: 'origin_gone' }])
        assert.deepEqual(await foldersOf(id), [trash])
        assert.deepEqual((await restore(id, other)).body, { folder_id: other })
      }
      assert.equal((await restore(ids[0]!, undefined, other)).status, 404, 'not from a folder that is no trashcan')
    })

    test('a folder goes back with all below it, to the root too', async () => {
      const top = await create('Top')
      const child = await create('Child', top)
      const id = await file(child, 'inside.txt')
      await client['move-folder-to-trash']({ params: { id: child } })
      await client['move-folder-to-trash']({ params: { id: top } })
      const { body } = await client['get-folder']({ params: { id: child } })
      assert.equal(body.trashed_from, top)
      assert.match(body.trashed_at!, /Z$/)
      assert.equal((await client['list-folders']({ query: { id: [top] } })).body[0]!.trashed_from, null)
      const early = await client['restore-folder']({ params: { id: child }, body: {} })
      assert.deepEqual([early.status, early.body], [409, { ...early.body, code: 'origin_gone' }])
      assert.deepEqual((await client['restore-folder']({ params: { id: top }, body: {} })).body, { folder_id: null })
      const bare = await service.request(`/folder/${child}/restore`, { method: 'POST', headers: { authorization: await service.signIn() } })
      assert.deepEqual([bare.status, await bare.json()], [200, { folder_id: top }])
      assert.deepEqual([await parentOf(top), await parentOf(child)], [null, top])
      assert.ok(!('trashed_at' in (await client['get-folder']({ params: { id: child } })).body))
      assert.deepEqual(await foldersOf(id), [child])
      assert.equal((await client['restore-folder']({ params: { id: child }, body: {} })).status, 404, 'it is in no trashcan')
      await client['move-folder-to-trash']({ params: { id: child } })
      assert.deepEqual((await client['restore-folder']({ params: { id: child }, body: { parent: null } })).body, { folder_id: null })
      assert.equal(await parentOf(child), null)
    })

    test('takes the rights that moving takes, on what the caller threw away', async () => {
      const { client: theirs, ...member } = await person()
      const folder = await create('Shared')
      await accounts.grant(folder, member.userId, ['READ', 'WRITE', 'ADMIN'])
      const [id, child] = [await file(folder, 'theirs.txt'), await create('Child', folder)]
      await theirs['move-media-to-trash']({ params: { id, folderId: folder } })
      await theirs['move-folder-to-trash']({ params: { id: child } })
      const theirTrash = await trashcanOf(theirs)
      assert.equal((await restore(id, undefined, theirTrash)).status, 404, "another's trashcan")
      assert.equal((await client['restore-folder']({ params: { id: child }, body: {} })).status, 404)
      await accounts.grant(folder, member.userId, ['READ'])
      const media = await theirs['restore-media']({ params: { id }, body: { from: theirTrash } })
      const below = await theirs['restore-folder']({ params: { id: child }, body: {} })
      for (const { status, body } of [media, below]) assert.deepEqual([status, body], [409, { ...body, code: 'origin_gone' }])
      const named = await theirs['restore-media']({ params: { id }, body: { from: theirTrash, folder } })
      assert.equal(named.status, 403)
      assert.equal((await theirs['restore-folder']({ params: { id: child }, body: { parent: folder } })).status, 403)
      await accounts.grant(folder, member.userId, ['READ', 'WRITE', 'ADMIN'])
      assert.deepEqual((await theirs['restore-media']({ params: { id }, body: { from: theirTrash } })).body, { folder_id: folder })
      assert.deepEqual((await theirs['restore-folder']({ params: { id: child }, body: {} })).body, { folder_id: folder })
    })
  })

  test("an uploader without rights does not see their file while it lies in another's trashcan only", async () => {
    const { client: theirs, ...uploader } = await person()
    const folder = await create('Letter box')
    await accounts.grant(folder, uploader.userId, ['UPLOAD'])
    const id = Number((await uploadAndImport(theirs, folder, Buffer.from('letter'), 'letter.txt')).id)
    const status = async () => (await theirs['get-media']({ params: { id } })).status
    const other = await create('Other')
    await client['copy-media']({ params: { id, folderId: other } })
    await throwAway(id, folder)
    assert.equal(await status(), 200, 'it lies in a folder too')
    await throwAway(id, other)
    assert.deepEqual([await status(), await statusOf(id)], [404, 200])
    await client['move-media']({ params: { id }, body: { from: trash, to: folder } })
    assert.equal(await status(), 200)
  })

  test('purging keeps the folder, its rights and tags, and takes all that it holds at once', async () => {
    const folder = await create('Purged')
    const below = await create('Below', folder)
    const kept = await create('Kept')
    const [loose, inside, saved] = [await file(folder, 'loose.txt'), await file(below, 'inside.txt'), await file(folder, 'saved.txt')]
    await client['copy-media']({ params: { id: saved, folderId: kept } })
    await client['add-folder-tags']({ params: { id: folder }, body: ['stays'] })
    const importing = await upload(client, folder, Buffer.from('being imported'), 'importing.txt')
    for (let times = 0; times < 2; times++) {
      assert.deepEqual((await client['purge-folder']({ params: { id: folder } })).body, {})
      assert.equal((await client['get-folder']({ params: { id: folder } })).status, 200)
      assert.deepEqual((await client['get-folder-tags']({ params: { id: folder } })).body, ['stays'])
      assert.equal((await client['get-folder']({ params: { id: below } })).status, 404)
      for (const id of [loose, inside, importing]) assert.equal(await statusOf(id), 404)
      assert.deepEqual(await foldersOf(saved), [kept])
      assert.deepEqual(await found({ folder_ids: [folder], recursive: 'true' }), [])
      assert.equal((await throwAway(saved, folder)).status, 404)
      // The purged folder works like a new one.
      const again = await file(folder, 'again.txt')
      const child = await create('Again', folder)
      await client['copy-media']({ params: { id: saved, folderId: folder } })
      assert.deepEqual(await foldersOf(again), [folder])
      assert.deepEqual(new Set(await foldersOf(saved)), new Set([kept, folder]))
      assert.deepEqual(new Set(await found({ folder_ids: [folder] })), new Set([again, saved]))
      assert.deepEqual(
        (await client['list-folders']({ query: { parent: folder } })).body.map(({ id }) => id),
        [child],
      )
      const { body } = await client['search-media']({
        query: { unique_media_id: [again], return_values: ['folder_id', 'folder_ids', 'folder_tags'] },
      })
      assert.deepEqual(body.response.media, [{ folder_id: folder, folder_ids: [folder], folder_tags: ['stays'] }])
    }
    assert.equal((await client['delete-folder']({ params: { id: folder } })).status, 200)
    assert.deepEqual(await foldersOf(saved), [kept])
  })

  test('after 30 days trash is deleted for good, not before', elsewhere, async () => {
    const own = await startService()
    const accounts = await provisioning(own)
    try {
      let theirs = await own.client()
      const { folder_id } = own.demo
      const folder = (await theirs['create-folder']({ body: { name: 'Old' } })).body.id
      const id = Number((await uploadAndImport(theirs, folder_id, Buffer.from('old'), 'old.txt')).id)
      await theirs['move-media-to-trash']({ params: { id, folderId: folder_id } })
      await theirs['move-folder-to-trash']({ params: { id: folder } })
      const both = async () => [
        (await theirs['get-media']({ params: { id } })).status,
        (await theirs['get-folder']({ params: { id: folder } })).status,
      ]
      const lastLook = async () => Number((await accounts.table.get({ pk: 'SCHEDULE#wake-jobs', sk: 'SCHEDULE' }))?.time ?? 0)
      own.advance((TRASH_DAYS - 1) * 86_400)
      const advanced = Date.now() + (TRASH_DAYS - 1) * 86_400_000
      await until(async () => (await lastLook()) >= advanced)
      assert.deepEqual(await both(), [200, 200])
      own.advance(86_400 + 3_600)
      theirs = await own.client(await own.signIn())
      await until(async () => !(await both()).includes(200))
    } finally {
      accounts.close()
      await own.stop()
    }
  })
})
