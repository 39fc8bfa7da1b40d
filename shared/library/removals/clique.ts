import type { CliqueId } from '../../vocabulary/ids.ts'
import { cliqueKey } from '../accounts/clique.ts'
import { findUser } from '../accounts/users.ts'
import { removalKey } from '../cliques/clique.ts'
import { type MembershipRecord, membersOf, withdrawal } from '../cliques/members.ts'
import type { Writing } from '../library.ts'
import { retryOnConflict } from '../retry.ts'

/** Members worked on at the same time. */
const PARALLEL = 8

/**
 * Removes the memberships of a deleted clique. Nobody can join one, and each step deletes its input: a repeated or interrupted run goes on
 * where the last one ended.
 * @param outOfTime asked between steps; true stops early
 * @returns whether all are gone; else it needs another run
 */
export async function removeMemberships(library: Writing, cliqueId: CliqueId, outOfTime: () => boolean): Promise<boolean> {
  const { table } = library
  // A late repetition must not touch a younger clique that drew the same id.
  if (await table.get(cliqueKey(cliqueId))) return true
  let batch: MembershipRecord[] = []
  const remove = async () => {
    await Promise.all(batch.map((membership) => removeMembership(library, membership)))
    batch = []
  }
  for await (const membership of membersOf(library, cliqueId)) {
    if (outOfTime()) return false
    batch.push(membership)
    if (batch.length === PARALLEL) await remove()
  }
  await remove()
  await table.delete(removalKey(cliqueId))
  return true
}

async function removeMembership(library: Writing, membership: MembershipRecord): Promise<void> {
  await retryOnConflict(async () => library.table.transact(withdrawal(library, membership, await findUser(library, membership.userId))))
}
