import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test, vi } from 'vitest'
import { images } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const absent = '0'.repeat(32)

describe('what is in the library already', async () => {
  const { accounts, person } = await serviceWithAccounts()
  const owner = await person()
  const newFolder = async (name: string) => (await owner.client['create-folder']({ body: { name } })).body.id

  async function found(md5: string[], by = owner) {
    const answer = await by.client['find-existing-media']({ body: { md5 } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.found
  }

  /** Indexes of a deployed table lag. */
  async function foundInTheEnd(md5: string, ids: number[]) {
    const expected = ids.length > 0 ? { [md5]: ids.toSorted((a, b) => a - b) } : {}
    await vi.waitFor(async () => assert.deepEqual(await found([md5]), expected), { timeout: 120_000, interval: 200 })
  }

  test('is found by MD5, in any case, by who may read it', async () => {
    const folder = await newFolder('Here')
    const bytes = Buffer.concat([await images['plain.jpg'](), Buffer.from(`${folder}`)])
    const first = await uploadAndImport(owner.client, folder, bytes, 'first.jpg')
    const second = await uploadAndImport(owner.client, folder, bytes, 'second.jpg')
    const md5 = md5Of(bytes)
    assert.equal(first.file_md5, md5)
    await foundInTheEnd(md5, [first.id, second.id])
    const upper = md5.toUpperCase()
    assert.deepEqual(Object.keys(await found([upper, absent, md5])), [upper, md5])

    const reader = await person()
    assert.deepEqual(await found([md5], reader), {})
    await accounts.grant(folder, reader.userId, ['READ'])
    assert.deepEqual((await found([md5], reader))[md5]?.length, 2)

    await owner.client['move-media-to-trash']({ params: { id: first.id, folderId: folder } })
    await foundInTheEnd(md5, [second.id])
    await owner.client['move-folder-to-trash']({ params: { id: folder } })
    await foundInTheEnd(md5, [])
  })

  test('takes up to 1,000 of them', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16).padStart(32, '0'))
    assert.deepEqual(await found(many(1_000)), {})
    for (const md5 of [[], many(1_001), ['x'], [`${absent}0`]]) {
      assert.equal((await owner.client['find-existing-media']({ body: { md5 } })).status, 400)
    }
  })
})
