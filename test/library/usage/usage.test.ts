import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type CountedMedia, usageChange, usageChanges, usageOfCompany, usageOfUser } from '../../../shared/library/usage/usage.ts'
import { toCompanyId, toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'

const COMPANIES = [201, 202].map(toCompanyId)
const USERS = [301, 302, 303].map(toUserId)
const [COMPANY, USER] = [COMPANIES[0]!, USERS[0]!]

const NOTHING = { bytes: 0, files: 0 }

const Files = fc.uniqueArray(
  fc.record({
    mediaId: fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(toMediaId),
    companyId: fc.constantFrom(...COMPANIES),
    uploadedBy: fc.constantFrom(...USERS),
    bytes: fc.integer({ min: 0, max: 2 ** 41 }),
  }),
  { selector: ({ mediaId }) => mediaId, minLength: 1, maxLength: 40 },
)

const sum = (files: readonly CountedMedia[]) => ({ bytes: files.reduce((bytes, file) => bytes + file.bytes, 0), files: files.length })

test('counts of several files at once are one operation per item, and add up to those of each file', () =>
  fc.assert(
    fc.asyncProperty(Files, Files, async (added, removed) => {
      const { table } = openTestTable()
      await table.transact(usageChanges([...added, ...removed], 1))
      for (const file of removed) await table.transact({ usage: usageChange(file, -1) })
      for (const companyId of COMPANIES) {
        const of = added.filter((file) => file.companyId === companyId)
        assert.deepEqual(await usageOfCompany({ table }, companyId), sum(of))
        for (const userId of USERS) {
          assert.deepEqual(await usageOfUser({ table }, userId, [companyId]), sum(of.filter(({ uploadedBy }) => uploadedBy === userId)))
        }
      }
      assert.deepEqual(await usageOfUser({ table }, USER, COMPANIES), sum(added.filter(({ uploadedBy }) => uploadedBy === USER)))
    }),
    { numRuns: 15 },
  ))

test('a user whose id begins with the same digits is another user', async () => {
  const { table } = openTestTable()
  await table.transact(
    usageChanges(
      [USER, toUserId(USER * 10 + 2)].map((uploadedBy) => ({ mediaId: toMediaId(1), companyId: COMPANY, uploadedBy, bytes: 10 })),
      1,
    ),
  )
  assert.deepEqual(await usageOfUser({ table }, USER, [COMPANY]), { bytes: 10, files: 1 })
  assert.deepEqual(await usageOfUser({ table }, toUserId(USER * 10), [COMPANY]), NOTHING)
})
