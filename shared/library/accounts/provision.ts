import type { Operations } from '../../backends/table/port.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { ensurePublicGallery, ensureTrashcan } from '../tree/system-folders.ts'
import { type CompanyRecord, createCompany, findCompany } from './companies.ts'
import { createUser, type NewUser, type UserRecord } from './users.ts'

/** Companies and their users, with the system folders that everything else expects. No endpoint creates them. */

/** Makes a company with its public gallery. */
export async function openCompany(library: Writing, name: string): Promise<CompanyRecord> {
  const company = await createCompany(library, name)
  await ensurePublicGallery(library, company.companyId)
  return company
}

/**
 * Makes a user with a trashcan in the company. Without `admin` they have no right on any folder until one is granted.
 * @param also further operations of the user's transaction
 * @throws NotFound for an unknown company, Conflict when the username is taken
 */
export async function addUser(library: Writing, input: NewUser, also?: (userId: UserId) => Operations): Promise<UserRecord> {
  await requireCompany(library, input.companyId)
  const user = await createUser(library, input, also)
  await ensureTrashcan(library, input.companyId, user.userId)
  return user
}

/** @throws NotFound for an unknown company, and one that is being removed */
export async function requireCompany(library: Reading, companyId: CompanyId): Promise<void> {
  const company = await findCompany(library, companyId)
  if (!company || company.removing !== undefined) throw new NotFound('company')
}
