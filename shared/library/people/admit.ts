import type { Operations } from '../../backends/table/port.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { invalidateCodes } from '../accounts/password-resets.ts'
import { addUser, requireCompany } from '../accounts/provision.ts'
import { findUserByName, listingKey, type UserRecord, userChange } from '../accounts/users.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict } from '../errors.ts'
import type { Writing } from '../library.ts'
import { ensureTrashcan } from '../tree/system-folders.ts'
import { forgetDeparture } from './departure.ts'

/** A person whom an admin adds to their company. */
export interface Newcomer {
  companyId: CompanyId
  username: string
  fullname: string
  /** In the form of `asciiMailAddress()`. */
  email?: string | undefined
  admin: boolean
}

/**
 * Makes a user without a password, or readmits a user who belongs to no company. A readmitted user loses their password, e-mail address and
 * sign-on identities, so old credentials don't work.
 * @param also further operations for the same transaction
 * @throws Conflict `user_exists`, NotFound for an unknown company
 */
export async function admitUser(library: Writing, newcomer: Newcomer, also: (userId: UserId) => Operations): Promise<UserRecord> {
  const former = await findUserByName(library, newcomer.username)
  if (former && former.companies.length > 0) throw exists(newcomer.username)
  if (former) return readmit(library, former, newcomer, also)
  return addUser(library, newcomer, also).catch((error: unknown) => {
    throw error instanceof Conflict && error.code === 'username_taken' ? exists(newcomer.username) : error
  })
}

const exists = (username: string) =>
  new Conflict(`There is a user ${username} already. Usernames are unique in the whole service.`, 'user_exists')

async function readmit(
  library: Writing,
  former: UserRecord,
  { companyId, username, fullname, email, admin }: Newcomer,
  also: (userId: UserId) => Operations,
): Promise<UserRecord> {
  const { userId } = former
  await requireCompany(library, companyId)
  await forgetDeparture(library, companyId, userId)
  const readmitted = await retryOnConflict(async () => {
    const user = await findUserByName(library, username)
    if (user?.userId !== userId || user.companies.length > 0) throw exists(username)
    const { passwordHash: _, identities: __, email: ___, ...kept } = user
    const set = {
      companies: [{ companyId, admin }],
      cliques: [],
      fullname: fullname.trim().normalize('NFC'),
      ...(email !== undefined && { email }),
      tokenEpoch: user.tokenEpoch + 1,
      disabled: false,
    }
    const remove = (['passwordHash', 'identities', 'email'] as const).filter((name) => !(name in set))
    await library.table.transact({
      user: userChange(library, user, set, remove),
      listing: { put: { ...listingKey(companyId, userId), userId } },
      ...(await invalidateCodes(library, userId)),
      ...also(userId),
    })
    return { ...kept, ...set, revision: user.revision + 1 }
  })
  await ensureTrashcan(library, companyId, userId)
  return readmitted
}
