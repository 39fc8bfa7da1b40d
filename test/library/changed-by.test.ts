import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { revokeAdmin } from '../../shared/library/accounts/admins.ts'
import { createKey } from '../../shared/library/accounts/api-keys.ts'
import { type CliqueRecord, cliqueKey } from '../../shared/library/accounts/clique.ts'
import { findCompany, listCompanies } from '../../shared/library/accounts/companies.ts'
import { finishPasswordReset, startPasswordReset } from '../../shared/library/accounts/password-resets.ts'
import { renameUser } from '../../shared/library/accounts/rename-user.ts'
import { enableUser, findUser, setMembership } from '../../shared/library/accounts/users.ts'
import type { Actor } from '../../shared/library/actor.ts'
import { changeClique, createClique, deleteClique } from '../../shared/library/cliques/cliques.ts'
import { addMember, removeMember } from '../../shared/library/cliques/members.ts'
import { shareFolder } from '../../shared/library/cliques/shares.ts'
import { createFolder } from '../../shared/library/folders/folders.ts'
import type { JobRecord } from '../../shared/library/jobs/job.ts'
import { removeMemberships } from '../../shared/library/removals/clique.ts'
import { removalKey } from '../../shared/library/tree/folder-changes.ts'
import { by, openTestCompany, openTestTable, requestOf } from '../support/library.ts'

const job: Actor = { kind: 'job', job: 'expire-trash', run: 'run 1' }
const operator: Actor = { kind: 'operator', command: 'user disable' }

async function setUp() {
  const library = openTestTable()
  const { companyId, admin, user } = await openTestCompany(library)
  const acting = () => requestOf(library, admin)
  const { userId } = user.user
  const byOfUser = async () => (await findUser(library, userId))?.by
  return { library, companyId, acting, userId, adminId: admin.user.userId, byOfUser }
}

describe('records say who changed them last', () => {
  test('companies, users and keys', async () => {
    const { library, companyId, userId, adminId, byOfUser } = await setUp()
    assert.deepEqual((await findCompany(library, companyId))?.by, by)
    assert.deepEqual(
      (await listCompanies(library)).map((company) => company.by),
      [by],
    )
    assert.deepEqual(await byOfUser(), by)
    const apiSecretsKey = { get: async () => ({ current: Buffer.alloc(32).toString('base64') }) }
    const { record } = await createKey({ ...library, by: operator, apiSecretsKey }, { companyId, grants: [] })
    assert.deepEqual(record.by, operator)
    await enableUser({ ...library, by: operator }, userId)
    assert.deepEqual(await byOfUser(), operator)
    await setMembership(library, userId, { companyId, admin: true })
    assert.deepEqual(await byOfUser(), by)
    await renameUser({ ...library, by: operator }, userId, { fullname: 'Renamed' })
    assert.deepEqual(await byOfUser(), operator)
    await revokeAdmin({ ...library, by: job }, userId, companyId)
    assert.deepEqual([await byOfUser(), (await findUser(library, adminId))?.by], [job, by], 'the other admin is only looked at')
  })

  test('a password that is reset by a code: the user, in that request', async () => {
    const { library, userId, byOfUser } = await setUp()
    const user = (await findUser(library, userId))!
    const code = (await startPasswordReset(library, user, library.clock.now()))!
    assert.deepEqual(await byOfUser(), by, 'to mail a code changes no user')
    await finishPasswordReset({ ...library, requestId: 'r-1' }, { code, password: 'another password' }, '192.0.2.1')
    assert.deepEqual(await byOfUser(), { kind: 'user', userId, requestId: 'r-1' })
  })

  test('cliques, their members and what remains of deleted ones', async () => {
    const { library, companyId, acting, userId, byOfUser } = await setUp()
    const { by: admin } = acting()
    const { cliqueId } = await createClique(acting(), { companyId, name: 'Clique', thumbnail: null })
    const byOf = async () => (await library.table.get<CliqueRecord>(cliqueKey(cliqueId)))?.by
    assert.deepEqual(await byOf(), admin)
    await changeClique({ ...acting(), by: operator }, cliqueId, { name: 'Renamed' })
    assert.deepEqual(await byOf(), operator)
    const membership = await addMember(acting(), cliqueId, userId)
    assert.deepEqual([membership.by, await byOf(), await byOfUser()], [admin, admin, admin])
    await removeMember({ ...acting(), by: operator }, cliqueId, userId)
    assert.deepEqual([await byOf(), await byOfUser()], [operator, operator])
    const { folderId } = await createFolder(acting(), { name: 'Folder', parent: null })
    await shareFolder(acting(), cliqueId, folderId, ['READ'])
    assert.deepEqual(await byOf(), admin)
    await addMember(acting(), cliqueId, userId)
    await deleteClique({ ...acting(), by: operator }, cliqueId)
    assert.deepEqual((await library.table.get<JobRecord>(removalKey({ cliqueId })))?.by, operator)
    await removeMemberships({ ...library, by: job }, cliqueId, () => false)
    assert.deepEqual(await byOfUser(), job)
  })
})
