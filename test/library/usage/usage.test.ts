import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  type CountedMedia,
  NO_USAGE,
  storedBytesChange,
  usageChange,
  usageChanges,
  usageOfCompany,
  usageOfUser,
} from '../../../shared/library/usage/usage.ts'
import { toCompanyId, toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'

const COMPANIES = [201, 202].map(toCompanyId)
const USERS = [301, 302, 303].map(toUserId)
const [COMPANY, USER] = [COMPANIES[0]!, USERS[0]!]

const Files = fc.uniqueArray(
  fc.record({
    mediaId: fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(toMediaId),
    companyId: fc.constantFrom(...COMPANIES),
    uploadedBy: fc.constantFrom(...USERS),
    bytes: fc.integer({ min: 0, max: 2 ** 41 }),
    versionBytes: fc.option(fc.integer({ min: 0, max: 2 ** 41 }), { nil: undefined }),
  }),
  { selector: ({ mediaId }) => mediaId, minLength: 1, maxLength: 40 },
)

const sum = (files: readonly CountedMedia[]) => {
  const versionBytes = files.reduce((bytes, file) => bytes + (file.versionBytes ?? 0), 0)
  return { bytes: files.reduce((bytes, file) => bytes + file.bytes, versionBytes), files: files.length, versionBytes }
}

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
  assert.deepEqual(await usageOfUser({ table }, USER, [COMPANY]), { bytes: 10, files: 1, versionBytes: 0 })
  assert.deepEqual(await usageOfUser({ table }, toUserId(USER * 10), [COMPANY]), NO_USAGE)
})

test('a file that stays counts what it stores more or less, and is one file', async () => {
  const { table } = openTestTable()
  const media = { mediaId: toMediaId(1), companyId: COMPANY, uploadedBy: USER, bytes: 10 }
  await table.transact({ usage: usageChange(media, 1) })
  await table.transact({ usage: storedBytesChange(media, { bytes: 7, versionBytes: 10 }) })
  assert.deepEqual(await usageOfCompany({ table }, COMPANY), { bytes: 17, files: 1, versionBytes: 10 })
  await table.transact({ usage: usageChange({ ...media, bytes: 7, versionBytes: 10 }, -1) })
  assert.deepEqual(await usageOfCompany({ table }, COMPANY), NO_USAGE)
})
