import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { accounts, person } = await serviceWithAccounts()

describe('folders and files of two companies that a user belongs to', () => {
  let first: CompanyId
  let second: CompanyId
  let third: CompanyId
  let client: Person['client']
  /** A folder in each of the user's companies, and one in a company that is none of theirs. */
  let [own, other, foreign] = [0, 0, 0]
  beforeAll(async () => {
    first = await accounts.company('First')
    second = await accounts.company('Second')
    third = await accounts.company('Third')
    const user = await person({ companyId: first, admin: true })
    await joinCompany(accounts.library, user.userId, second)
    client = user.client
    own = await create('Own', first)
    other = await create('Other', second)
    const stranger = await person({ companyId: third, admin: true })
    foreign = (await stranger.client['create-folder']({ body: { name: 'Foreign' } })).body.id
  })

  const create = async (name: string, company_id: number) => (await client['create-folder']({ body: { name, company_id } })).body.id
  const created = async (parent: number | null, company_id?: number) => {
    const { status, body } = await client['create-folder']({ body: { name: 'Folder', parent, company_id } })
    return status === 200 ? body.company_id : status
  }
  const changed = async (id: number, body: { parent?: number | null; company_id?: number }) =>
    (await client['change-folder']({ params: { id }, body })).status

  test('a folder is made in the company of the one that it is made in', async () => {
    assert.deepEqual([await created(own), await created(other)], [first, second])
    assert.deepEqual([await created(null), await created(null, second)], [first, second])
    assert.deepEqual([await created(own, first), await created(other, second)], [first, second])
    assert.deepEqual([await created(other, first), await created(own, second)], [400, 400])
    assert.deepEqual([await created(foreign), await created(foreign, first), await created(null, third)], [404, 404, 404])
  })

  test('a folder stays in its company', async () => {
    const id = await create('Stays', first)
    const as = async () => (await client['get-folder']({ params: { id } })).body
    const before = await as()
    assert.deepEqual([await changed(id, { parent: other }), await changed(id, { parent: foreign })], [400, 404])
    assert.deepEqual([await changed(id, { company_id: second }), await changed(id, { company_id: third })], [400, 400])
    assert.equal(await changed(id, { parent: own, company_id: second }), 400)
    assert.deepEqual(await as(), before)
    assert.equal(await changed(id, { parent: own, company_id: first }), 200)
  })

  test('a file stays in its company', async () => {
    const id = Number((await uploadAndImport(client, own, Buffer.from('text'), 'text.txt')).id)
    const replace = (...folders: number[]) =>
      client['replace-media-folders']({ params: { id }, body: folders.map((group_id) => ({ group_id, status: 'RELEASED' })) })
    for (const [folder, status] of [
      [other, 400],
      [foreign, 404],
    ] as const) {
      assert.equal((await client['copy-media']({ params: { id, folderId: folder } })).status, status)
      assert.equal((await client['move-media']({ params: { id }, body: { from: own, to: folder } })).status, status)
      assert.equal((await replace(own, folder)).status, status)
      assert.equal((await replace(folder)).status, status)
    }
    const there = Number((await uploadAndImport(client, other, Buffer.from('there'), 'there.txt')).id)
    const zip = await client['create-selection-zip']({ body: { media_ids: [id, there] } })
    assert.equal(zip.status, 400, 'files of two companies in one archive')
    assert.deepEqual((await client['list-media-folders']({ params: { id } })).body, [{ group_id: own, status: 'RELEASED' }])
  })
})
