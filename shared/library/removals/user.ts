import type { Objects } from '../../backends/objects/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'
import { disableUser } from '../accounts/admins.ts'
import { seenKey } from '../accounts/last-seen.ts'
import { profileImageKeys } from '../accounts/profile-images.ts'
import { identityKey } from '../accounts/sign-ons.ts'
import { findUser, listingKey, userKey, usernameKey } from '../accounts/users.ts'
import { endMembership } from '../cliques/members.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Writing } from '../library.ts'
import { removeSharesOfUser } from '../shares/removal.ts'
import { forgetRights } from './rights.ts'

/**
 * Deletes a user. Their tokens end at once; then their share links, rights, trashcans with contents, and profile image are removed. Files
 * that they uploaded stay. An interrupted deletion leaves a disabled user, whom a repeated call deletes.
 * @throws NotFound, Conflict for the last admin of a company
 */
export async function deleteUser(library: Writing & { media: Pick<Objects, 'delete'> }, userId: UserId): Promise<void> {
  const { cliques, companies, identities = [], profileImage } = await disableUser(library, userId)
  for (const cliqueId of cliques) await endMembership(library, cliqueId, userId)
  for (const { companyId } of companies) {
    await removeSharesOfUser(library, companyId, userId)
    await forgetRights(library, companyId, userId, 'delete')
    await library.table.delete(seenKey(companyId, userId))
  }
  if (profileImage) await library.media.delete(profileImageKeys(userId, profileImage))
  for (const identity of identities) await library.table.delete(identityKey(identity))
  await removeRecords(library, userId)
}

async function removeRecords(library: Writing, userId: UserId): Promise<void> {
  await retryOnConflict(async () => {
    const user = await findUser(library, userId)
    if (!user) return
    await library.table.transact({
      user: { delete: userKey(userId), if: { revision: { equals: user.revision } } },
      username: { delete: usernameKey(user.username) },
      ...Object.fromEntries(user.companies.map(({ companyId }) => [`listing ${companyId}`, { delete: listingKey(companyId, userId) }])),
    })
  })
}
