import { randomBytes } from 'node:crypto'
import type { Key, Operations, Table } from '../../../shared/backends/table/port.ts'
import { apiKeyKey, createKey, idKey } from '../../../shared/library/accounts/api-keys.ts'
import { listingKey } from '../../../shared/library/accounts/companies.ts'
import { seenKey } from '../../../shared/library/accounts/last-seen.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import { userKey, usernameKey } from '../../../shared/library/accounts/users.ts'
import type { OperatorActor } from '../../../shared/library/actor.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import { folderClaimKey } from '../../../shared/library/tree/folder.ts'
import { trashJob } from '../../../shared/library/tree/trash.ts'
import { type CompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import type { OpenLibrary } from '../../homes/open-library.ts'
import type { Cleanup } from './cleanup.ts'

type Accounts = Pick<OpenLibrary, 'table' | 'apiSecretsKey' | 'clock'>

const by: OperatorActor = { kind: 'operator', command: 'smoke-test' }

/** The user and the application of a smoke test. */
export interface Visitor {
  companyId: CompanyId
  username: string
  password: string
  key: string
  secret: string
}

/** Makes a company of the test's own, with an admin and a key, and adds them to the cleanup. */
export async function makeAccounts(accounts: Accounts, cleanup: Cleanup): Promise<Visitor> {
  const library = { ...accounts, by }
  const { table } = library
  const name = `smoke-test-${randomBytes(6).toString('hex')}`
  const { companyId } = await openCompany(library, name)
  cleanup.add(`company ${companyId} (${name})`, () => removeCompany(table, companyId))
  const password = randomBytes(12).toString('base64url')
  const { userId, username } = await addUser(library, { companyId, username: name, fullname: 'Smoke test', password, admin: true })
  cleanup.add(`user ${username}`, () =>
    table.transact({
      user: { delete: userKey(userId) },
      username: { delete: usernameKey(username) },
      seen: { delete: seenKey(companyId, userId) },
    }),
  )
  const { record, secret } = await createKey(library, { companyId, grants: [] })
  cleanup.add(`key ${record.key}`, () => table.transact({ key: { delete: apiKeyKey(record.key) }, claim: { delete: idKey(record.keyId) } }))
  return { companyId, username, password, key: record.key, secret }
}

/** Removes a company with its job of the trash and everything in its partition: folders, lists of users and keys, usage. */
async function removeCompany(table: Table, companyId: CompanyId): Promise<void> {
  await table.delete(listingKey(companyId))
  await table.transact({ expiry: trashJob.drop(String(companyId)) })
  const items = await Array.fromAsync(everyItem<Key>(table, { pk: `COMPANY#${companyId}`, consistent: true }))
  for (const { pk, sk } of items) {
    const folder = /^FOLDER#(\d+)$/.exec(sk)
    const claim: Operations = folder ? { claim: { delete: folderClaimKey(toFolderId(Number(folder[1]))) } } : {}
    await table.transact({ item: { delete: { pk, sk } }, ...claim })
  }
}
