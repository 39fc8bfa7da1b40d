import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Secrets } from '../../../shared/backends/secrets/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { Access } from '../../../shared/library/access/access.ts'
import { createKey, listKeys, revokeKey } from '../../../shared/library/accounts/api-keys.ts'
import { listCompanies } from '../../../shared/library/accounts/companies.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import { findUserByName, setPassword, type UserRecord } from '../../../shared/library/accounts/users.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { ensurePublicGallery, ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'

export const DEMO_USERNAME = 'demo'
const COMPANY_NAME = 'Demo'

interface Accounts {
  table: Table
  secrets: Secrets<'apiSecretsKey'>
  clock: Clock
}

/**
 * Makes the demo company with an admin, an API key and some folders. Of a company that a crash left half-made it makes what is missing.
 * Password and key are new each time.
 */
export async function makeDemoCompany({ table, secrets, clock }: Accounts) {
  const companies = await listCompanies(table)
  const company = companies.find(({ name }) => name === COMPANY_NAME) ?? (await openCompany(table, clock, COMPANY_NAME))
  const { companyId } = company
  const password = randomBytes(12).toString('base64url')
  const user = await ensureUser(table, clock, companyId, password)
  await ensurePublicGallery(table, clock, companyId)
  await ensureTrashcan(table, clock, companyId, user.userId)
  for (const { key } of await listKeys(table, companyId)) await revokeKey(table, key)
  const { record, secret } = await createKey(table, secrets, clock, { companyId, grants: ['downloads', 'password_reset'] })
  const folderId = await ensureFolders(table, clock, user)
  return {
    company_id: companyId,
    user_id: user.userId,
    username: DEMO_USERNAME,
    password,
    api_key: record.key,
    api_secret: secret,
    folder_id: folderId,
  }
}

async function ensureUser(table: Table, clock: Clock, companyId: number, password: string): Promise<UserRecord> {
  const known = await findUserByName(table, DEMO_USERNAME)
  if (known) return setPassword(table, known.userId, password)
  return addUser(table, clock, { companyId, username: DEMO_USERNAME, fullname: 'Demo user', password, admin: true })
}

/** @returns the id of the folder to upload to */
async function ensureFolders(table: Table, clock: Clock, user: UserRecord): Promise<number> {
  const products = await ensureFolder(table, clock, user, 'Products', null)
  const events = await ensureFolder(table, clock, user, 'Events', null)
  await ensureFolder(table, clock, user, '2026', events)
  await ensureFolder(table, clock, user, 'Press', null)
  return products
}

async function ensureFolder(table: Table, clock: Clock, user: UserRecord, name: string, parent: number | null): Promise<number> {
  const access = new Access(table, { kind: 'user', user, keyId: 0 })
  const folders = await access.visibleFolders(user.companies[0]!.companyId)
  const known = folders.find(({ record }) => record.name === name && record.parent === parent)?.record
  return (known ?? (await createFolder({ table, clock }, access, { name, parent }))).folderId
}
