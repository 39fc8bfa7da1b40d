import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import { createClique, deleteClique } from '../../../shared/library/cliques/cliques.ts'
import { addMember, MAX_CLIQUES_OF_USER, type MembershipRecord } from '../../../shared/library/cliques/members.ts'
import { Invalid, NotFound } from '../../../shared/library/errors.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import { removeMemberships } from '../../../shared/library/removals/clique.ts'
import type { CliqueId, UserId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

async function setUp() {
  const library = openTestTable()
  const { table } = library
  const company = await openTestCompany(library)
  const admin = () => requestOf(library, company.admin)
  const clique = async () => (await createClique(admin(), { companyId: company.companyId, name: 'Clique', thumbnail: null })).cliqueId
  const users = async (count: number) =>
    Promise.all(Array.from({ length: count }, async (_, n) => (await company.add(`user ${n} of ${count}`, false)).userId))
  const cliquesOf = async (userId: UserId) => (await findUser({ table }, userId))?.cliques
  return { library, table, user: company.user, admin, clique, users, cliquesOf }
}

/** All that is stored of a clique, and of the ids of these memberships. */
async function remains(table: Table, cliqueId: CliqueId, memberships: readonly MembershipRecord[]) {
  const partition = await Array.fromAsync(everyItem(table, { pk: `CLIQUE#${cliqueId}`, consistent: true }))
  const claims = await table.getMany(memberships.map(({ membershipId }) => ({ pk: `MEMBERSHIP#${membershipId}`, sk: 'MEMBERSHIP' })))
  return [...partition, ...claims].map(({ pk, sk }) => `${pk} / ${sk}`)
}

const never = () => false

test(`a user is in at most ${MAX_CLIQUES_OF_USER} cliques`, async () => {
  const { admin, clique, user } = await setUp()
  const { userId } = user.user
  for (let n = 0; n < MAX_CLIQUES_OF_USER; n++) await addMember(admin(), await clique(), userId)
  await assert.rejects(
    clique().then((id) => addMember(admin(), id, userId)),
    Invalid,
  )
})

test('the memberships of a deleted clique are taken away, in runs of any length and any number of times', async () => {
  const { table, library, admin, clique, users, cliquesOf } = await setUp()
  const [id, kept] = [await clique(), await clique()]
  const members = await users(20)
  const memberships = await Promise.all(members.map((userId) => addMember(admin(), id, userId)))
  for (const userId of members) await addMember(admin(), kept, userId)
  await deleteClique(admin(), id)
  let runs = 0
  for (let done = false; !done; runs++) {
    let asked = 0
    done = await removeMemberships(library, id, () => ++asked > 9)
  }
  assert.ok(runs > 1, 'was interrupted')
  assert.deepEqual(await remains(table, id, memberships), [])
  for (const userId of members) assert.deepEqual(await cliquesOf(userId), [kept])
  assert.equal(await removeMemberships(library, id, never), true)
})

test('nobody joins a clique while it is deleted: they are in it before, or get 404', async () => {
  const { table, library, admin, clique, users, cliquesOf } = await setUp()
  const members = await users(6)
  for (let round = 0; round < 10; round++) {
    const id = await clique()
    const joined = Promise.allSettled(members.map((userId) => addMember(admin(), id, userId)))
    await deleteClique(admin(), id)
    const outcomes = await joined
    for (const outcome of outcomes) if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof NotFound)
    await removeMemberships(library, id, never)
    const memberships = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    assert.deepEqual(await remains(table, id, memberships), [])
    for (const userId of members) assert.deepEqual(await cliquesOf(userId), [])
  }
})
