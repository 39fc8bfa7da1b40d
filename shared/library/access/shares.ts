import type { Key, TableReader } from '../../backends/table/port.ts'
import type { Caller } from './caller.ts'
import { NO_RIGHTS, type Right, type RightSet, rightSet } from './rights.ts'

/** A clique: a group of users, with the folders that are shared with it. All its shares live in this one item. */
export type CliqueRecord = Key & {
  cliqueId: number
  companyId: number
  name: string
  /** Media id of its picture. */
  thumbnail: number | null
  /** By folder id: a folder that is purged keeps its shares, one that lies in a trashcan gets them back with its restoration. */
  shares: { [folderId: string]: Right[] }
  /** Counts changes of anything about the clique, its members too: everything that changes one is conditional on it. */
  revision: number
}

export const cliqueKey = (cliqueId: number): Key => ({ pk: `CLIQUE#${cliqueId}`, sk: 'CLIQUE' })

/** What cliques give their member, by folder id. */
export type Shares = ReadonlyMap<number, RightSet>

/** Reads the shares of all cliques of a caller, so that a change takes effect on the next request. */
export async function loadShares(table: TableReader, caller: Caller): Promise<Shares> {
  const shares = new Map<number, RightSet>()
  if (caller.kind === 'application' || caller.user.cliques.length === 0) return shares
  for (const clique of await table.getMany<CliqueRecord>(caller.user.cliques.map(cliqueKey))) {
    for (const [id, rights] of Object.entries(clique.shares)) {
      const folderId = Number(id)
      shares.set(folderId, (shares.get(folderId) ?? NO_RIGHTS) | rightSet(rights))
    }
  }
  return shares
}
