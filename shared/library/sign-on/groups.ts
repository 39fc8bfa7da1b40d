import type { SignedOn } from '../../backends/openid/port.ts'
import type { ProviderRecord } from '../accounts/providers.ts'
import type { UserRecord } from '../accounts/users.ts'
import { beginMembership, endMembership } from '../cliques/members.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'

/**
 * Gives and takes the cliques of the provider's mapping by the groups that it tells of a person. What was given by hand stays. A provider that
 * tells no groups changes nothing.
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
        // The clique is deleted, or the user has too many: that keeps nobody from signing on.
        if (!(error instanceof NotFound || error instanceof Invalid)) throw error
      })
    }
    if (!given.has(cliqueId) && isMember) await endMembership(library, cliqueId, userId, providerId)
  }
}
