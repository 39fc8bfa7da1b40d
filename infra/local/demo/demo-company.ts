import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Secrets } from '../../../shared/backends/secrets/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import { Access } from '../../../shared/library/access/access.ts'
import { createKey, listKeys, revokeKey } from '../../../shared/library/accounts/api-keys.ts'
import { findCompany, listCompanies, setStock, setStreaming, setSuggestions } from '../../../shared/library/accounts/companies.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import { findUserByName, setPassword, type UserRecord } from '../../../shared/library/accounts/users.ts'
import type { OperatorActor } from '../../../shared/library/actor.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { addAlias, listAliases } from '../../../shared/library/links/aliases.ts'
import { ensurePublicGallery, ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'
import type { CompanyId, FolderId } from '../../../shared/vocabulary/ids.ts'

export const DEMO_USERNAME = 'demo'
const COMPANY_NAME = 'Demo'
/** E-mails to the demo's user are in the outbox of the machine. Nobody has this address, in case there is a mail server. */
const EMAIL = 'demo@example.com'

/** What the demo is made with. */
export interface DemoLibrary {
  table: Table
  apiSecretsKey: Secrets<'apiSecretsKey'>
  clock: Clock
}

/** First path segment of the links to the demo's files. */
const ALIAS = 'demo'

const by: OperatorActor = { kind: 'operator', command: 'start' }

/**
 * Makes the demo company with an admin, an API key and some folders. Of a company that a crash left half-made it makes what is missing.
 * Password and key are new each time.
 */
export async function makeDemoCompany(demo: DemoLibrary) {
  const library = { ...demo, by }
  const companies = await listCompanies(library)
  const company = companies.find(({ name }) => name === COMPANY_NAME) ?? (await openCompany(library, COMPANY_NAME))
  const { companyId } = company
  const password = randomBytes(12).toString('base64url')
  const user = await ensureUser(library, companyId, password)
  await setStreaming(library, companyId, true)
  await setStock(library, companyId, true)
  await ensurePublicGallery(library, companyId)
  await ensureTrashcan(library, companyId, user.userId)
  for (const { key } of await listKeys(library, companyId)) await revokeKey(library, key)
  const { record, secret } = await createKey(library, { companyId, grants: ['downloads', 'password_reset'] })
  const folderId = await ensureFolders(library, user)
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

/** Makes the demo's CDN folder. @throws Conflict where another company has its alias */
export async function makeDemoAlias({ table, clock }: DemoLibrary, companyId: CompanyId): Promise<void> {
  await addAlias({ table, clock, by }, companyId, ALIAS, { name: 'CDN' })
}

/** Opts the demo in to suggested keywords, unless the operator has decided on that. */
export async function ensureDemoSuggestions({ table, clock }: Omit<DemoLibrary, 'apiSecretsKey'>, companyId: CompanyId): Promise<void> {
  const company = await findCompany({ table }, companyId)
  if (company && company.suggestions === undefined) await setSuggestions({ table, clock, by }, companyId, true)
}

/** The demo's CDN folder as it is now; nothing where the operator removed its alias. */
export async function demoAlias({ table }: Pick<DemoLibrary, 'table'>, companyId: CompanyId) {
  const folder = (await listAliases({ table }, companyId)).find(({ alias }) => alias === ALIAS)
  return { cdn_folder_id: folder?.folderId, cdn_alias: folder?.alias }
}

async function ensureUser(library: Writing, companyId: CompanyId, password: string): Promise<UserRecord> {
  const known = await findUserByName(library, DEMO_USERNAME)
  if (known) return setPassword(library, known.userId, password)
  return addUser(library, { companyId, username: DEMO_USERNAME, fullname: 'Demo user', email: EMAIL, password, admin: true })
}

/** @returns the id of the folder to upload to */
async function ensureFolders(library: Writing, user: UserRecord): Promise<FolderId> {
  const products = await ensureFolder(library, user, 'Products', null)
  const events = await ensureFolder(library, user, 'Events', null)
  await ensureFolder(library, user, '2026', events)
  await ensureFolder(library, user, 'Press', null)
  return products
}

async function ensureFolder(library: Writing, user: UserRecord, name: string, parent: FolderId | null): Promise<FolderId> {
  const access = new Access(library.table, { kind: 'user', user })
  const folders = await access.visibleFolders(user.companies[0]!.companyId)
  const known = folders.find(({ record }) => record.name === name && record.parent === parent)?.record
  return (known ?? (await createFolder({ ...library, access }, { name, parent }))).folderId
}
