import { type CompanyRecord, findCompany } from '../../shared/library/accounts/companies.ts'
import { findUserByName, isMemberOf, type UserRecord } from '../../shared/library/accounts/users.ts'
import { Conflict } from '../../shared/library/errors.ts'
import type { Reading } from '../../shared/library/library.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'

/** The user of that name. @throws Error in a sentence */
export async function needUser(library: Reading, username: string): Promise<UserRecord> {
  const user = await findUserByName(library, username)
  if (!user) throw new Error(`There is no user ${username}. List the users of a company with: user list --company ID`)
  return user
}

/** The company of that id. @throws Error in a sentence */
export async function needCompany(library: Reading, companyId: CompanyId): Promise<CompanyRecord> {
  const company = await findCompany(library, companyId)
  if (!company) throw noCompany(companyId)
  if (company.removing !== undefined)
    throw new Error(`Company ${companyId} is being deleted. Go on with: company delete --company ${companyId}`)
  return company
}

/** The error of an id that no company has. */
export const noCompany = (companyId: CompanyId): Error =>
  new Error(`There is no company ${companyId}. List the companies with: company list`)

/** Requires a member of the company. @throws Error in a sentence */
export function requireMember(user: UserRecord, companyId: CompanyId): void {
  if (isMemberOf(user, companyId)) return
  throw new Error(
    `${user.username} does not belong to company ${companyId}. Add them first with: user join --username ${user.username} --company ${companyId}`,
  )
}

/** Explains the error for a company's last admin. @throws the error, or Error in a sentence */
export function explainLastAdmin(error: unknown): never {
  if (!(error instanceof Conflict) || error.code !== 'last_admin') throw error
  throw new Error(`${error.message} Make somebody else one first, with: admin grant --username NAME --company ID`)
}
