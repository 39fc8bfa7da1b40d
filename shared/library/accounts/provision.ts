import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { NotFound } from '../errors.ts'
import { ensurePublicGallery, ensureTrashcan } from '../tree/system-folders.ts'
import { type CompanyRecord, createCompany, findCompany } from './companies.ts'
import { createUser, findUser, isMemberOf, type NewUser, setMembership, type UserRecord } from './users.ts'

/** What no endpoint creates: companies and their people, complete with the system folders that everything else expects. */

/** Makes a company with its public gallery. */
export async function openCompany(table: Table, clock: Clock, name: string): Promise<CompanyRecord> {
  const company = await createCompany(table, clock, name)
  await ensurePublicGallery(table, clock, company.companyId)
  return company
}

/**
 * Makes a user with a trashcan in the company. Without `admin` they have no right on any folder until somebody gives them one.
 * @throws NotFound for an unknown company, Conflict when the username is taken
 */
export async function addUser(table: Table, clock: Clock, input: NewUser): Promise<UserRecord> {
  await requireCompany(table, input.companyId)
  const user = await createUser(table, clock, input)
  await ensureTrashcan(table, clock, input.companyId, user.userId)
  return user
}

/**
 * Makes a user member of a further company, without rights there, with a trashcan of their own. Who is a member stays what they are.
 * @throws NotFound for an unknown user or company
 */
export async function joinCompany(table: Table, clock: Clock, userId: number, companyId: number): Promise<UserRecord> {
  await requireCompany(table, companyId)
  const known = await findUser(table, userId)
  const user = known && isMemberOf(known, companyId) ? known : await setMembership(table, userId, { companyId, admin: false })
  await ensureTrashcan(table, clock, companyId, userId)
  return user
}

async function requireCompany(table: Table, companyId: number): Promise<void> {
  if (!(await findCompany(table, companyId))) throw new NotFound('company')
}
