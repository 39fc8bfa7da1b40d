import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { resealSecrets } from '../../../shared/library/sealed/reseal.ts'
import { createShare, getShare, secretForMaker } from '../../../shared/library/shares/manage.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
const withKeys = (values: { current: string; previous?: string }) => ({ apiSecretsKey: { get: async () => values } })

async function setUp() {
  const library = openTestTable()
  const { admin } = await openTestCompany(library)
  const by = { kind: 'user', userId: admin.user.userId, requestId: 'r' } as const
  const maker = { ...requestOf(library, admin), by, sourceAddress: '::1', ...withKeys({ current: keys[0] }) }
  const { folderId } = await createFolder(maker, { name: 'Press', parent: null })
  const made = await createShare(maker, { folderId }, {})
  /** The secret as it is told with these keys. */
  const told = async (values: Parameters<typeof withKeys>[0]) => {
    const { share } = await getShare(maker, made.share.shareId)
    return secretForMaker({ ...maker, ...withKeys(values) }, share)
  }
  return { library, made, told }
}

test("a link's secret is stored encrypted, and told as long as its key is known", async () => {
  const { made, told } = await setUp()
  assert.ok(!JSON.stringify(made.share).includes(made.secret))
  assert.equal(await told({ current: keys[0] }), made.secret)
  assert.equal(await told({ current: keys[1], previous: keys[0] }), made.secret)
  await assert.rejects(told({ current: keys[1] }))
})

test('a rotation encrypts it anew, once', async () => {
  const { library, made, told } = await setUp()
  const rotated = { table: library.table, ...withKeys({ current: keys[1], previous: keys[0] }) }
  assert.deepEqual(await resealSecrets(rotated), { resealed: 1, unreadable: [] })
  assert.deepEqual(await resealSecrets(rotated), { resealed: 0, unreadable: [] })
  assert.equal(await told({ current: keys[1] }), made.secret)
  const lost = { table: library.table, ...withKeys({ current: Buffer.alloc(32, 3).toString('base64') }) }
  assert.deepEqual((await resealSecrets(lost)).unreadable, [`share link ${made.share.shareId}`])
})
