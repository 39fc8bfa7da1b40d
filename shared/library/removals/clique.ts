import type { Table } from '../../backends/table/port.ts'
import { cliqueKey } from '../accounts/clique.ts'
import { findUser } from '../accounts/users.ts'
import { removalKey } from '../cliques/clique.ts'
import { type MembershipRecord, membersOf, withdrawal } from '../cliques/members.ts'
import { retryOnConflict } from '../retry.ts'

/** Members worked on at the same time. */
const PARALLEL = 8

/**
 * Takes the memberships of a deleted clique away. Nobody can join one, and what is done is gone: a repeated or interrupted run goes on where
 * the last one ended.
 * @param outOfTime asked between steps; true stops early
 * @returns whether all are gone; else it needs another run
 */
export async function removeMemberships({ table }: { table: Table }, cliqueId: number, outOfTime: () => boolean): Promise<boolean> {
  // A late repetition must not touch a younger clique that drew the same id.
  if (await table.get(cliqueKey(cliqueId))) return true
  let batch: MembershipRecord[] = []
  const remove = async () => {
    await Promise.all(batch.map((membership) => removeMembership(table, membership)))
    batch = []
  }
  for await (const membership of membersOf(table, cliqueId)) {
    if (outOfTime()) return false
    batch.push(membership)
    if (batch.length === PARALLEL) await remove()
  }
  await remove()
  await table.delete(removalKey(cliqueId))
  return true
}

async function removeMembership(table: Table, membership: MembershipRecord): Promise<void> {
  await retryOnConflict(async () => table.transact(withdrawal(membership, await findUser(table, membership.userId))))
}
