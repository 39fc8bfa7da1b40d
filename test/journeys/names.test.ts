import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'

describe('names', async () => {
  const { service } = await serviceWithAccounts()

  /** Every endpoint that takes a name. @returns the status, and the stored name */
  const named = async (name: string) => {
    const client = await service.client()
    const { company_id: companyId } = service.demo
    const folder = await client['create-folder']({ body: { name: 'Folder' } })
    const params = { id: folder.body.id }
    const answers = [
      await client['create-folder']({ body: { name } }),
      await client['change-folder']({ params, body: { name } }),
      await client['create-clique']({ body: { name, svc_id: companyId } }),
      await client['add-folder-tags']({ params, body: [name] }),
    ]
    return answers.map(({ status, body }) => [status, status === 200 ? (Array.isArray(body) ? body[0] : body.name) : undefined])
  }

  test('lose white space at their ends, a pasted tab too, and are NFC of up to 255 characters', async () => {
    for (const [name, expected] of [
      ['\tPasted name\r\n', 'Pasted name'],
      ['  e\u0301 / .. 😀 ', '\u00e9 / .. 😀'],
      ['😀'.repeat(255), '😀'.repeat(255)],
    ] as const)
      for (const answer of await named(name)) assert.deepEqual(answer, [200, expected])
  })

  test('that are empty or too long, or with characters that control or turn text around, are refused', async () => {
    for (const name of ['', '   ', 'x'.repeat(256), 'a\u0000b', 'a\nb', 'a\tb', 'photo\u202egpj.exe', 'a\u2067b'])
      for (const [status] of await named(name)) assert.equal(status, 400, JSON.stringify(name))
  })
})
