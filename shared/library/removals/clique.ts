import type { CliqueId, UserId } from '../../vocabulary/ids.ts'
import { cliqueKey } from '../accounts/clique.ts'
import { endMembership, membersOf } from '../cliques/members.ts'
import type { Writing } from '../library.ts'

/** Members removed in parallel. */
const PARALLEL = 8

/**
 * Removes the memberships of a deleted clique. Nobody can join a deleted clique, and each step deletes its input, so a run can be repeated.
 * @param outOfTime asked between steps; true stops early
 * @returns false if another run is needed
 */
export async function removeMemberships(library: Writing, cliqueId: CliqueId, outOfTime: () => boolean): Promise<boolean> {
  // A late retry must not touch a newer clique that happens to have the same id.
  if (await library.table.get(cliqueKey(cliqueId))) return true
  let batch: UserId[] = []
  const remove = async () => {
    await Promise.all(batch.map((userId) => endMembership(library, cliqueId, userId)))
    batch = []
  }
  for await (const { userId } of membersOf(library, cliqueId)) {
    if (outOfTime()) return false
    batch.push(userId)
    if (batch.length === PARALLEL) await remove()
  }
  await remove()
  return true
}
