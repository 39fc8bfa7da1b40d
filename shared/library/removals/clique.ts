import type { CliqueId, UserId } from '../../vocabulary/ids.ts'
import { cliqueKey } from '../accounts/clique.ts'
import { endMembership, membersOf } from '../cliques/members.ts'
import type { Writing } from '../library.ts'

/** Members worked on at the same time. */
const PARALLEL = 8

/**
 * Removes the memberships of a deleted clique. Nobody can join one, and each step deletes its input: a repeated or interrupted run goes on
 * where the last one ended.
 * @param outOfTime asked between steps; true stops early
 * @returns whether all are gone; else it needs another run
 */
export async function removeMemberships(library: Writing, cliqueId: CliqueId, outOfTime: () => boolean): Promise<boolean> {
  // A late repetition must not touch a younger clique that drew the same id.
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
