import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import type { Reading } from '../library.ts'
import { NO_RIGHTS, type RightSet, rightSet } from '../tree/rights.ts'
import { type FolderId, toFolderId } from '../vocabulary/ids.ts'
import type { Caller } from './caller.ts'

/** What cliques give their member, by folder id. */
export type Shares = ReadonlyMap<FolderId, RightSet>

/** Reads the shares of all cliques of a caller, so that a change takes effect on the next request. */
export async function loadShares({ table }: Reading, caller: Caller): Promise<Shares> {
  const shares = new Map<FolderId, RightSet>()
  if (caller.kind === 'application' || caller.user.cliques.length === 0) return shares
  for (const clique of await table.getMany<CliqueRecord>(caller.user.cliques.map(cliqueKey))) {
    for (const [id, rights] of Object.entries(clique.shares)) {
      const folderId = toFolderId(Number(id))
      shares.set(folderId, (shares.get(folderId) ?? NO_RIGHTS) | rightSet(rights))
    }
  }
  return shares
}
