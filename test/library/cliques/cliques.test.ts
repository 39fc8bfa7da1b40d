import assert from 'node:assert/strict'
import { test } from 'vitest'
import { MAX_ITEM_BYTES, type Table } from '../../../shared/backends/table/port.ts'
import { type CliqueRecord, cliqueKey } from '../../../shared/library/accounts/clique.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import { createClique, deleteClique } from '../../../shared/library/cliques/cliques.ts'
import { addMember, MAX_CLIQUES_OF_USER, type MembershipRecord } from '../../../shared/library/cliques/members.ts'
import { forgetShares, MAX_SHARES, shareFolder, unshareFolder } from '../../../shared/library/cliques/shares.ts'
import { Invalid, NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import { removeMemberships } from '../../../shared/library/removals/clique.ts'
import type { Right } from '../../../shared/library/tree/folder.ts'
import { type CliqueId, type FolderId, MAX_ID, toFolderId, type UserId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

async function setUp() {
  const library = openTestTable()
  const { table } = library
  const { companyId, user, add, ...company } = await openTestCompany(library)
  const admin = () => requestOf(library, company.admin)
  const clique = async (name = 'Clique') => (await createClique(admin(), { companyId, name, thumbnail: null })).cliqueId
  const folder = async () => (await createFolder(admin(), { name: 'Folder', parent: null })).folderId
  return {
    ...{ library, table, companyId, user, admin, clique },
    users: async (count: number) =>
      Promise.all(Array.from({ length: count }, async (_, n) => (await add(`user ${n} of ${count}`, false)).userId)),
    cliquesOf: async (userId: UserId) => (await findUser({ table }, userId))?.cliques,
    folders: (count: number) => Promise.all(Array.from({ length: count }, folder)),
    share: (cliqueId: CliqueId, folderId: FolderId, rights: Right[] = ['READ']) => shareFolder(admin(), cliqueId, folderId, rights),
    setShares: (cliqueId: CliqueId, ids: readonly FolderId[], rights: Right[]) =>
      table.update(cliqueKey(cliqueId), { set: { shares: Object.fromEntries(ids.map((id) => [id, rights])) } }),
  }
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

test(`a clique shares at most ${MAX_SHARES} folders, which fit into its item; those it has can still change`, async () => {
  const { admin, table, clique, folders, share, setShares } = await setUp()
  const id = await clique('😀'.repeat(255))
  const [known, another] = await folders(2)
  const others = Array.from({ length: MAX_SHARES - 1 }, (_, n) => toFolderId(MAX_ID - n)).filter((n) => n !== known)
  await setShares(id, [known!, ...others], ['WRITE', 'UPLOAD'])
  await share(id, known!, ['READ', 'UPLOAD'])
  await assert.rejects(share(id, another!), Invalid)
  const bytes = Buffer.byteLength(JSON.stringify(await table.get<CliqueRecord>(cliqueKey(id))))
  assert.ok(bytes < MAX_ITEM_BYTES / 2, `${bytes}`)
  await unshareFolder(admin(), id, others[0]!)
  await share(id, another!)
})

test('shares of folders that are removed for good are forgotten in all cliques of the company, others stay', async () => {
  const { library, table, companyId, clique, folders, share, setShares } = await setUp()
  const sharesOf = async (cliqueId: CliqueId) => Object.keys((await table.get<CliqueRecord>(cliqueKey(cliqueId)))!.shares).map(Number)
  const [gone, alsoGone, kept] = await folders(3)
  const cliques = await Promise.all(Array.from({ length: 45 }, (_, n) => clique(`Clique ${n}`)))
  for (const id of cliques.slice(0, 43)) await setShares(id, [gone!, kept!], ['READ'])
  await setShares(cliques[43]!, [alsoGone!], ['READ'])
  await Promise.all([
    forgetShares(library, companyId, [gone!, alsoGone!]),
    share(cliques[44]!, kept!),
    share(cliques[42]!, kept!, ['WRITE']),
  ])
  for (const id of cliques.slice(0, 43)) assert.deepEqual(await sharesOf(id), [kept])
  assert.deepEqual([await sharesOf(cliques[43]!), await sharesOf(cliques[44]!)], [[], [kept]])
  const revision = async () => (await table.get<CliqueRecord>(cliqueKey(cliques[0]!)))!.revision
  const before = await revision()
  await forgetShares(library, companyId, [gone!, alsoGone!])
  assert.equal(await revision(), before, 'again: nothing changes')
})
