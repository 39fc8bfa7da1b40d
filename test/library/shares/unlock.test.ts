import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { createShare } from '../../../shared/library/shares/manage.ts'
import { unlock } from '../../../shared/library/shares/unlock.ts'
import { openShare } from '../../../shared/library/shares/visit.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { sealing } from '../../support/sealing.ts'

test('a link that met 100 wrong passwords in a day answers slowly whoever never gave the right one, and locks nobody out', async () => {
  const { table, clock } = openTestTable()
  const library = { table, clock: clock.hasty }
  const { admin } = await openTestCompany({ ...library, by: { kind: 'user', userId: 1 as never, requestId: 'r' } })
  const by = { kind: 'user', userId: admin.user.userId, requestId: 'r' } as const
  const maker = { ...requestOf(library, admin), by, sourceAddress: '::1', ...sealing }
  const { folderId } = await createFolder(maker, { name: 'Press', parent: null })
  const { secret } = await createShare(maker, { folderId }, { password: 'right one' })
  const { share } = await openShare(library, secret)
  /** @returns seconds until the answer, and whether the password was right */
  const ask = async (address: string, password: string) => {
    const began = clock.now()
    const isRight = await unlock(library, share, { secret, password, address }).then(
      () => true,
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'wrong_password')
        return false
      },
    )
    return { seconds: (clock.now() - began) / 1000, isRight }
  }
  const [known, stranger] = ['192.0.2.1', '2001:db8:1:1::1']
  assert.deepEqual(await ask(known, 'right one'), { seconds: 0, isRight: true })
  for (let n = 0; n < 100; n++) assert.deepEqual(await ask(`198.51.100.${n}`, 'wrong'), { seconds: 0, isRight: false })
  assert.deepEqual(await ask(stranger, 'wrong'), { seconds: 3, isRight: false })
  assert.deepEqual(await ask(known, 'wrong'), { seconds: 0, isRight: false })
  assert.deepEqual(await ask(stranger, 'right one'), { seconds: 3, isRight: true })
  // The /64 of an address is one source.
  assert.deepEqual(await ask('2001:db8:1:1::2', 'right one'), { seconds: 0, isRight: true })
  clock.advance(86_400)
  assert.deepEqual(await ask('203.0.113.1', 'wrong'), { seconds: 0, isRight: false })
})
