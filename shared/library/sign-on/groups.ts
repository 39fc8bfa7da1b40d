import type { SignedOn } from '../../backends/openid/port.ts'
import type { ProviderRecord } from '../accounts/providers.ts'
import type { UserRecord } from '../accounts/users.ts'
import { beginMembership, endMembership } from '../cliques/members.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'

/**
 * Syncs a user's cliques with their groups at the provider, by the provider's mapping. Memberships given by hand stay. Does nothing if the
 * provider sends no groups.
 */
export async function applyGroups(
  library: Writing,
  { providerId, groups: mapping }: ProviderRecord,
  { userId, cliques }: UserRecord,
  { groups }: SignedOn['claims'],
): Promise<void> {
  const names = typeof groups === 'string' ? [groups] : groups
  if (!Array.isArray(names)) return
  const given = new Set(mapping.filter(({ group }) => names.includes(group)).map(({ cliqueId }) => cliqueId))
  for (const cliqueId of new Set(mapping.map((each) => each.cliqueId))) {
    const isMember = cliques.includes(cliqueId)
    if (given.has(cliqueId) && !isMember) {
      await beginMembership(library, cliqueId, userId, providerId).catch((error: unknown) => {
        // A deleted clique, or one too many, must not prevent the sign-on.
        if (!(error instanceof NotFound || error instanceof Invalid)) throw error
      })
    }
    if (!given.has(cliqueId) && isMember) await endMembership(library, cliqueId, userId, providerId)
  }
}
