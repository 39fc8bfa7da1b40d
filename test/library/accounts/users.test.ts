import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import { disableUser } from '../../../shared/library/accounts/admins.ts'
import { openCompany } from '../../../shared/library/accounts/provision.ts'
import { findUser, isMemberOf, listUsers, setMembership } from '../../../shared/library/accounts/users.ts'
import { joinCompany } from '../../../shared/library/people/join-company.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import type { CompanyId, UserId } from '../../../shared/vocabulary/ids.ts'
import { cutOffAfter } from '../../support/cut-off.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'

const isListed = async (table: Table, companyId: CompanyId, userId: UserId) =>
  (await listUsers({ table }, companyId)).some((user) => user.userId === userId)

test('joining a company, wherever it is cut off, leaves a member who is listed or none; the next try finishes it', async () => {
  const library = openTestTable()
  const { table } = library
  const { user } = await openTestCompany(library)
  const { userId } = user.user
  const { companyId } = await openCompany(library, 'Further')
  let cuts = 0
  for (let left = 1, joined = false; !joined; left++) {
    await joinCompany({ ...library, table: cutOffAfter(left, table) }, userId, companyId).then(
      () => {
        joined = true
      },
      () => cuts++,
    )
    const known = await findUser({ table }, userId)
    assert.equal(await isListed(table, companyId, userId), isMemberOf(known!, companyId), `after ${left} calls`)
  }
  assert.ok(cuts >= 4, `it was cut off at ${cuts} places`)
  const trashcans = [...(await loadTree({ table }, companyId)).all()].filter(({ system, owner }) => system === 'trash' && owner === userId)
  assert.equal(trashcans.length, 1)
})

test('changes of one user at the same time are all kept', async () => {
  const library = openTestTable()
  const { table } = library
  const { user, companyId } = await openTestCompany(library)
  const { userId, tokenEpoch } = user.user
  const others = await Promise.all(Array.from({ length: 8 }, async (_, n) => (await openCompany(library, `${n}`)).companyId))
  await Promise.all([
    ...others.map((other) => setMembership(library, userId, { companyId: other, admin: false })),
    disableUser(library, userId),
  ])
  const changed = await findUser({ table }, userId)
  assert.deepEqual(new Set(changed?.companies.map((membership) => membership.companyId)), new Set([companyId, ...others]))
  assert.deepEqual([changed?.disabled, changed?.tokenEpoch, changed?.revision], [true, tokenEpoch + 1, 10])
  for (const other of others) assert.ok(await isListed(table, other, userId))
})
