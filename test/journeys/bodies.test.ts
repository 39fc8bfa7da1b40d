import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'

const KIB = 1024

describe('a body', async () => {
  const { service } = await serviceWithAccounts()

  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await service.request(path, { method: 'POST', body, headers })
    return { status: response.status, ...((await response.json()) as { code?: string }) }
  }

  test('of more than 16 KiB is too large where callers have no authorization yet', async () => {
    const credentials = JSON.stringify({ username: 'nobody at all', password: 'wrong', key: 'x', ts: 1, hmac: 'x' })
    const reset = JSON.stringify({ code: 'wrong', password: 'long enough' })
    for (const [path, body, otherwise] of [
      ['/authenticate/userpasshmac', credentials, 401],
      ['/authenticate/userpass/reset/confirm', reset, 400],
    ] as const) {
      assert.equal((await post(path, body.padEnd(16 * KIB))).status, otherwise, path)
      const { status, code } = await post(path, body.padEnd(16 * KIB + 1))
      assert.deepEqual([status, code], [413, 'too_large'], path)
    }
  })

  test('of 64 KiB is taken elsewhere, of a megabyte where it holds the texts of a file or many ids, and no more', async () => {
    const authorization = await service.signIn()
    const texts = JSON.stringify({ en: ['word'] })
    for (const [path, body, most, otherwise] of [
      ['/folder', JSON.stringify({ name: 'Large' }), 64 * KIB, 200],
      ['/media/1/metadata', JSON.stringify({ title: {} }), KIB * KIB, 404],
      ['/media/1/metadata/title', JSON.stringify({ en: 'title' }), KIB * KIB, 404],
      ['/media/1/metadata/description', JSON.stringify({ en: 'text' }), KIB * KIB, 404],
      ['/media/1/metadata/keywords', texts, KIB * KIB, 404],
      ['/media/1/folders', '[]', KIB * KIB, 404],
    ] as const) {
      assert.equal((await post(path, body.padEnd(most), { authorization })).status, otherwise, path)
      assert.equal((await post(path, body.padEnd(most + 1), { authorization })).status, 413, path)
    }
  })

  test('nested deeper than a hundred levels, or with a field __proto__, is malformed', async () => {
    const authorization = await service.signIn()
    for (const extra of ['['.repeat(100) + ']'.repeat(100), '{"__pro\\u0074o__": 1}']) {
      const { status, code } = await post('/folder', `{"name": "Folder", "extra": ${extra}}`, { authorization })
      assert.deepEqual([status, code], [400, 'malformed_json'])
    }
  })
})
