import assert from 'node:assert/strict'
import { test } from 'vitest'
import { MAX_ITEM_BYTES } from '../../../shared/backends/table/port.ts'
import { Access } from '../../../shared/library/access/access.ts'
import { type CliqueRecord, cliqueKey } from '../../../shared/library/accounts/clique.ts'
import { changeClique, createClique, deleteClique, listManagedCliques } from '../../../shared/library/cliques/cliques.ts'
import { forgetShares, listShares, MAX_SHARES, shareFolder, unshareFolder } from '../../../shared/library/cliques/shares.ts'
import { Invalid, NotFound } from '../../../shared/library/errors.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { MAX_ID } from '../../../shared/library/ids.ts'
import type { Right } from '../../../shared/library/tree/rights.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'

async function setUp() {
  const { table, clock } = openTestTable()
  const company = await openTestCompany(table, clock)
  const access = () => new Access(table, company.admin)
  const clique = async (name = 'Clique') =>
    (await createClique(table, access(), { companyId: company.companyId, name, thumbnail: null })).cliqueId
  const folder = async () => (await createFolder({ table, clock }, access(), { name: 'Folder', parent: null })).folderId
  const folders = (count: number) => Promise.all(Array.from({ length: count }, folder))
  const share = (cliqueId: number, folderId: number, rights: Right[] = ['READ']) =>
    shareFolder(table, access(), { cliqueId, folderId }, rights)
  const shared = async (cliqueId: number) => (await listShares(table, access(), cliqueId)).map(({ folderId }) => folderId)
  const setShares = (cliqueId: number, ids: readonly number[], rights: Right[]) =>
    table.update(cliqueKey(cliqueId), { set: { shares: Object.fromEntries(ids.map((id) => [id, rights])) } })
  return { table, clock, ...company, access, clique, folders, share, shared, setShares }
}

const byNumber = (a: number, b: number) => a - b

test('shares, withdrawals and new names at the same time: nothing is lost', async () => {
  const { table, companyId, access, clique, folders, share, shared } = await setUp()
  const id = await clique()
  const ids = await folders(20)
  for (const folderId of ids.slice(0, 10)) await share(id, folderId)
  await Promise.all([
    ...ids.slice(0, 10).map((folderId) => unshareFolder(table, access(), id, folderId)),
    ...ids.slice(10).map((folderId) => share(id, folderId)),
    changeClique(table, access(), id, { name: 'Renamed' }),
  ])
  assert.deepEqual(await shared(id), ids.slice(10).sort(byNumber))
  const [listed] = await listManagedCliques(table, access())
  assert.deepEqual([listed?.cliqueId, listed?.companyId, listed?.name], [id, companyId, 'Renamed'])
})

test(`a clique shares at most ${MAX_SHARES} folders, which fit into its item; those it has can still change`, async () => {
  const { table, access, clique, folders, share, setShares } = await setUp()
  const id = await clique('😀'.repeat(255))
  const [known, another] = await folders(2)
  const others = Array.from({ length: MAX_SHARES - 1 }, (_, n) => MAX_ID - n).filter((n) => n !== known)
  await setShares(id, [known!, ...others], ['WRITE', 'UPLOAD'])
  await share(id, known!, ['READ', 'UPLOAD'])
  await assert.rejects(share(id, another!), Invalid)
  const bytes = Buffer.byteLength(JSON.stringify(await table.get<CliqueRecord>(cliqueKey(id))))
  assert.ok(bytes < MAX_ITEM_BYTES / 2, `${bytes}`)
  await unshareFolder(table, access(), id, others[0]!)
  await share(id, another!)
})

test('shares of folders that are removed for good are forgotten in all cliques of the company, others stay', async () => {
  const { table, companyId, clique, folders, share, setShares } = await setUp()
  const sharesOf = async (cliqueId: number) => Object.keys((await table.get<CliqueRecord>(cliqueKey(cliqueId)))!.shares).map(Number)
  const [gone, alsoGone, kept] = await folders(3)
  const cliques = await Promise.all(Array.from({ length: 45 }, (_, n) => clique(`Clique ${n}`)))
  for (const id of cliques.slice(0, 43)) await setShares(id, [gone!, kept!], ['READ'])
  await setShares(cliques[43]!, [alsoGone!], ['READ'])
  await Promise.all([
    forgetShares({ table }, companyId, [gone!, alsoGone!]),
    share(cliques[44]!, kept!),
    share(cliques[42]!, kept!, ['WRITE']),
  ])
  for (const id of cliques.slice(0, 43)) assert.deepEqual(await sharesOf(id), [kept])
  assert.deepEqual([await sharesOf(cliques[43]!), await sharesOf(cliques[44]!)], [[], [kept]])
  const revision = async () => (await table.get<CliqueRecord>(cliqueKey(cliques[0]!)))!.revision
  const before = await revision()
  await forgetShares({ table }, companyId, [gone!, alsoGone!])
  assert.equal(await revision(), before, 'again: nothing changes')
})

test('nothing is shared with a clique while it is deleted, and forgetting passes by', async () => {
  const { table, clock, companyId, access, clique, folders, share } = await setUp()
  const [folderId] = await folders(1)
  for (let round = 0; round < 10; round++) {
    const id = await clique()
    await share(id, folderId!)
    const [shared, forgotten] = [share(id, folderId!, ['WRITE']), forgetShares({ table }, companyId, [folderId!])]
    const outcome = Promise.allSettled([shared, forgotten])
    await deleteClique({ table, clock }, access(), id)
    const [sharing, forgetting] = await outcome
    if (sharing.status === 'rejected') assert.ok(sharing.reason instanceof NotFound)
    assert.equal(forgetting.status, 'fulfilled')
    assert.equal(await table.get(cliqueKey(id)), undefined)
  }
  assert.deepEqual(await listManagedCliques(table, access()), [])
})
