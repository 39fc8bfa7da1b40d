import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { endTokensOfMember } from '../accounts/password-sign-in.ts'
import { requireCompany } from '../accounts/provision.ts'
import { findUser, isMemberOf, setMembership, type UserRecord } from '../accounts/users.ts'
import type { Writing } from '../library.ts'
import { ensureTrashcan } from '../tree/system-folders.ts'
import { forgetDeparture } from './departure.ts'

/**
 * Adds a user to a company, with a trashcan and without rights. Members keep their rights. Ends the user's sessions and tokens if the
 * company's members sign in only at providers.
 * @throws NotFound for an unknown user or company
 */
export async function joinCompany(library: Writing, userId: UserId, companyId: CompanyId): Promise<UserRecord> {
  await requireCompany(library, companyId)
  const known = await findUser(library, userId)
  const isMember = known !== undefined && isMemberOf(known, companyId)
  if (!isMember) await forgetDeparture(library, companyId, userId)
  const user = isMember ? known : await setMembership(library, userId, { companyId, admin: false })
  await endTokensOfMember(library, user)
  await ensureTrashcan(library, companyId, userId)
  return user
}
