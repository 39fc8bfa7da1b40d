import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { TableReader } from '../../../shared/backends/table/port.ts'
import { Access } from '../../../shared/library/access/access.ts'
import type { UserCaller } from '../../../shared/library/access/caller.ts'
import { loadCliques, sharesOf } from '../../../shared/library/access/shares.ts'
import { type CliqueRecord, cliqueKey } from '../../../shared/library/accounts/clique.ts'
import { type Right, rightSet } from '../../../shared/library/tree/folder.ts'
import { type CompanyId, toCliqueId, toCompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'

const FOLDER = toFolderId(5)

/** A clique that gives one right on the folder. */
function clique(right: Right, revision = 2, id = 1): CliqueRecord {
  const cliqueId = toCliqueId(id)
  const shares = { [FOLDER]: [right] }
  return { ...cliqueKey(cliqueId), cliqueId, companyId: toCompanyId(7), name: 'Press', thumbnail: null, shares, revision }
}

/** A member of the first two cliques, and of one that there isn't. */
async function memberOf(library: ReturnType<typeof openTestTable>): Promise<UserCaller> {
  const { admin } = await openTestCompany(library)
  return { ...admin, user: { ...admin.user, cliques: [2, 1, 3].map(toCliqueId) } }
}

const given = async (library: { table: TableReader }, caller: UserCaller) => sharesOf(library, await loadCliques(library, caller))

test('what a clique of one table shares, one of another table with the same id and revision does not', async () => {
  for (const right of ['READ', 'WRITE'] as const) {
    const library = openTestTable()
    await library.table.put(clique(right))
    assert.equal((await given(library, await memberOf(library))).get(FOLDER), rightSet([right]))
  }
})

test('a clique that ends after its revision was read gives nothing', async () => {
  const library = openTestTable()
  const caller = await memberOf(library)
  await library.table.put(clique('READ'))
  await given(library, caller)
  await library.table.put(clique('WRITE', 3))
  const cliques = await loadCliques(library, caller)
  await library.table.delete(cliqueKey(toCliqueId(1)))
  assert.equal((await sharesOf(library, cliques)).size, 0)
})

test('versions of folders tell nothing of companies that the caller is not in', async () => {
  const library = openTestTable()
  const [mine, other] = [await openTestCompany(library), await openTestCompany(library)]
  const versions = (...companyIds: CompanyId[]) => new Access(library.table, mine.admin).folderVersions(companyIds)
  assert.deepEqual(await versions(other.companyId), [])
  assert.deepEqual(await versions(other.companyId, mine.companyId), await versions(mine.companyId))
})
