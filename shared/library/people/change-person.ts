import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { isSelf, knownUser, type ManagedUser, managedUser, requireOwnUser } from '../access/people.ts'
import { otherAdmins } from '../accounts/admins.ts'
import { invalidateCodes } from '../accounts/password-resets.ts'
import { endTokensOfMember } from '../accounts/password-sign-in.ts'
import { findUser, isAdminOf, isMemberOf, type UserRecord, userChange } from '../accounts/users.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { NotFound } from '../errors.ts'

/** Changes of a user. Absent fields stay as they are. */
export interface PersonChange {
  fullname?: string | undefined
  /** In the form of `asciiMailAddress()`; null removes it. */
  email?: string | null | undefined
  /** Role in one company. */
  admin?: boolean | undefined
  disabled?: boolean | undefined
}

/**
 * Changes a user in one transaction. Admins may change everything, users only their own name and address. Disabling ends the user's tokens,
 * sessions and codes; a new address ends the codes sent to the old one.
 * @param wanted the company that `admin` is for; by default the user's first company that the caller administers
 * @throws NotFound, Forbidden, Conflict `last_admin`, `other_company`
 */
export async function changePerson(
  library: AuthorizedWriting,
  userId: UserId,
  change: PersonChange,
  wanted?: CompanyId,
): Promise<ManagedUser> {
  const { companyId, user: known } = await changeable(library, userId, change, wanted)
  const user = await retryOnConflict(async () => {
    const user = await findUser(library, userId)
    if (!user || !isMemberOf(user, companyId)) throw new NotFound('user')
    if (change.email !== undefined || change.disabled !== undefined) requireOwnUser(library, user)
    return written(library, user, companyId, change)
  })
  if (isAdminOf(known, companyId) && !isAdminOf(user, companyId)) await endTokensOfMember(library, user)
  return { user, companyId }
}

/** Users may change their own name and address. Everything else takes an admin. */
async function changeable(
  library: AuthorizedWriting,
  userId: UserId,
  { admin, disabled }: PersonChange,
  wanted?: CompanyId,
): Promise<ManagedUser> {
  if (!isSelf(library, userId) || admin !== undefined || disabled !== undefined) return managedUser(library, userId, wanted)
  const { user, companyIds } = await knownUser(library, userId)
  const companyId = companyIds.find((id) => wanted === undefined || id === wanted)
  if (companyId === undefined) throw new NotFound('user')
  return { user, companyId }
}

/** @returns the user after the change */
async function written(library: AuthorizedWriting, user: UserRecord, companyId: CompanyId, change: PersonChange): Promise<UserRecord> {
  const { fullname, email, admin = isAdminOf(user, companyId), disabled = user.disabled } = change
  const [isDisabled, isDemoted] = [disabled && !user.disabled, !admin && isAdminOf(user, companyId)]
  const isMoved = email !== undefined && email !== (user.email ?? null)
  const set: Partial<UserRecord> = {
    ...(fullname !== undefined && fullname !== user.fullname && { fullname }),
    ...(isMoved && email !== null && { email }),
    ...(admin !== isAdminOf(user, companyId) && { companies: withRole(user, companyId, admin) }),
    ...(disabled !== user.disabled && { disabled }),
    ...(isDisabled && { tokenEpoch: user.tokenEpoch + 1 }),
  }
  const remove = isMoved && email === null ? (['email'] as const) : []
  if (Object.keys(set).length === 0 && remove.length === 0) return user
  const administered = user.companies.flatMap((each) => (each.admin ? [each.companyId] : []))
  const others = await otherAdmins(library, user, isDisabled ? administered : isDemoted ? [companyId] : [])
  await library.table.transact({
    user: userChange(library, user, set, remove),
    ...(isMoved && (await invalidateCodes(library, user.userId))),
    ...others,
  })
  const { email: _, ...withoutEmail } = user
  return { ...(remove.length > 0 ? withoutEmail : user), ...set, revision: user.revision + 1 }
}

function withRole({ companies }: UserRecord, companyId: CompanyId, admin: boolean): UserRecord['companies'] {
  return companies.map((membership) => (membership.companyId === companyId ? { companyId, admin } : membership))
}
