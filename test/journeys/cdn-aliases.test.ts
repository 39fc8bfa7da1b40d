import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'

describe('CDN aliases', async () => {
  const { accounts, person, service } = await serviceWithAccounts()
  const company = await accounts.company('With aliases')
  const boss = await person({ companyId: company, admin: true })
  const list = (client: typeof boss.client, of: number = company) => client['list-cdn-aliases']({ params: { company: of } })

  test('are listed with their folders, those that the caller can see', async () => {
    assert.deepEqual((await list(boss.client)).body, { count: 0, limit: 100, aliases: [] })
    const made = [await accounts.cdnFolder(company), await accounts.cdnFolder(company)]
    const all = made
      .map(({ folderId, alias }) => ({ folder_id: Number(folderId), alias, folder_name: 'CDN folder' }))
      .sort((a, b) => (a.alias < b.alias ? -1 : 1))
    assert.deepEqual((await list(boss.client)).body, { count: 2, limit: 100, aliases: all })

    const member = await person({ companyId: company })
    assert.deepEqual((await list(member.client)).body, { count: 0, limit: 100, aliases: [] })
    await accounts.grant(all[1]!.folder_id, member.userId, ['READ'])
    assert.deepEqual((await list(member.client)).body, { count: 1, limit: 100, aliases: [all[1]] })
  })

  test('of companies that the caller does not belong to are not found', async () => {
    const stranger = await person()
    assert.equal((await list(stranger.client)).status, 404)
    assert.equal((await list(boss.client, service.demo.company_id)).status, 404)
    for (const id of [0, 1, 2 ** 31]) assert.equal((await list(boss.client, id)).status, 404, String(id))
    const authorization = boss.authorization
    assert.equal((await service.request('/cdn/abc/company/aliases', { headers: { authorization } })).status, 400)
  })
})
