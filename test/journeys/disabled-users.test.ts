import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { disableUser } from '../../shared/library/accounts/admins.ts'
import { enableUser } from '../../shared/library/accounts/users.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { service, accounts, person } = await serviceWithAccounts()

describe('a disabled user', () => {
  test('is refused everywhere at once, and signs in again only once enabled; the old token stays invalid', async () => {
    const { userId, username, password, client } = await person()
    const folder = (await client['create-folder']({ body: { name: 'Own' } })).body.id
    const id = Number((await uploadAndImport(client, folder, Buffer.from('text'), 'text.txt')).id)
    const calls = () => [
      client.whoami(),
      client['list-folders'](),
      client['create-folder']({ body: { name: 'Another' } }),
      client['delete-folder']({ params: { id: folder } }),
      client['register-upload']({ body: { folder } }),
      client['get-media']({ params: { id } }),
      client['get-download-location']({ params: { id } }),
      client['search-media']({ query: { q: 'text', return_values: ['unique_media_id'] } }),
    ]
    const statuses = async () => [...new Set((await Promise.all(calls())).map(({ status }) => status))]
    await disableUser(accounts.library, userId)
    assert.deepEqual(await statuses(), [401])
    await assert.rejects(service.signIn({ username, password }), /401/)
    await enableUser(accounts.library, userId)
    assert.deepEqual(await statuses(), [401])
    const again = await service.client(await service.signIn({ username, password }))
    assert.equal((await again['get-media']({ params: { id } })).status, 200, 'what was theirs is theirs')
  })
})
