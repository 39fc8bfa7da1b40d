import type { TableReader } from '../../backends/table/port.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import type { Reading } from '../library.ts'
import { RecentlyUsed } from '../recently-used.ts'
import { NO_RIGHTS, type RightSet, rightSet } from '../tree/rights.ts'
import { type FolderId, toFolderId } from '../vocabulary/ids.ts'
import type { Caller } from './caller.ts'

/** What cliques give their member, by folder id. */
export type Shares = ReadonlyMap<FolderId, RightSet>

/** Reads the cliques of a caller with their shares, so that a change takes effect on the next request. */
export async function loadCliques({ table }: Reading, caller: Caller): Promise<CliqueRecord[]> {
  return caller.kind === 'application' || caller.user.cliques.length === 0 ? [] : table.getMany(caller.user.cliques.map(cliqueKey))
}

/** What these cliques, as the table has them, give their member. */
export function sharesOf({ table }: Reading, cliques: readonly CliqueRecord[]): Shares {
  const known = keptOf(table)
  const [first, ...others] = cliques.map((clique) => sharesOfOne(clique, known))
  if (!first || others.length === 0) return first ?? NO_SHARES
  const united = new Map(first)
  for (const shares of others) for (const [folderId, rights] of shares) united.set(folderId, (united.get(folderId) ?? NO_RIGHTS) | rights)
  return united
}

const NO_SHARES: Shares = new Map()
/** So many shares are kept, of the cliques whose members asked last. */
const KEPT_SHARES = 200_000
type Kept = RecentlyUsed<{ revision: number; shares: Shares }>
const keptOfTables = new WeakMap<TableReader, Kept>()

/** A clique's revision tells its shares in one table only. */
function keptOf(table: TableReader): Kept {
  const kept = keptOfTables.get(table) ?? new RecentlyUsed(KEPT_SHARES, ({ shares }) => 1 + shares.size)
  keptOfTables.set(table, kept)
  return kept
}

/** The same for all its members, until the clique changes. */
function sharesOfOne({ pk, revision, shares }: CliqueRecord, known: Kept): Shares {
  const kept = known.get(pk)
  if (kept?.revision === revision) return kept.shares
  const given = new Map(Object.entries(shares).map(([id, rights]) => [toFolderId(Number(id)), rightSet(rights)]))
  known.set(pk, { revision, shares: given })
  return given
}
