import { RecentlyUsed } from '../../recently-used.ts'
import { type FolderId, toFolderId } from '../../vocabulary/ids.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import type { Reading } from '../library.ts'
import { perTable } from '../per-table.ts'
import { NO_RIGHTS, type RightSet, rightSet } from '../tree/folder.ts'
import type { Caller } from './caller.ts'

/** Rights that cliques give a member, by folder id. */
export type Shares = ReadonlyMap<FolderId, RightSet>

/** A clique's revision, which identifies the state of its shares. */
export type CliqueVersion = Pick<CliqueRecord, 'pk' | 'sk' | 'revision'>

/** Reads the revisions of a caller's cliques, so that a change takes effect on the next request. */
export async function loadCliques({ table }: Reading, caller: Caller): Promise<CliqueVersion[]> {
  if (caller.kind === 'application' || caller.user.cliques.length === 0) return []
  const known = cacheOf(table)
  const { kept = [], others = [] } = Object.groupBy(caller.user.cliques.map(cliqueKey), ({ pk }) => (known.get(pk) ? 'kept' : 'others'))
  const [versions, records] = await Promise.all([
    // Of cached cliques only the revision: a clique may have 2,000 shares.
    table.getMany<CliqueVersion>(kept, { attributes: ['revision'] }),
    table.getMany<CliqueRecord>(others),
  ])
  for (const record of records) cacheShares(known, record)
  const cliques = [...versions, ...records].map(({ pk, sk, revision }) => ({ pk, sk, revision }))
  return cliques.sort((a, b) => (a.pk < b.pk ? -1 : 1))
}

/** Rights that these cliques give a member, at these revisions or newer ones. */
export async function sharesOf({ table }: Reading, cliques: readonly CliqueVersion[]): Promise<Shares> {
  const known = cacheOf(table)
  const given: Shares[] = []
  const changed: CliqueVersion[] = []
  for (const clique of cliques) {
    const kept = known.get(clique.pk)
    if (kept?.revision === clique.revision) given.push(kept.shares)
    else changed.push(clique)
  }
  if (changed.length > 0) for (const record of await table.getMany<CliqueRecord>(changed)) given.push(cacheShares(known, record))
  const [first, ...others] = given
  if (!first || others.length === 0) return first ?? NO_SHARES
  const united = new Map(first)
  for (const shares of others) for (const [folderId, rights] of shares) united.set(folderId, (united.get(folderId) ?? NO_RIGHTS) | rights)
  return united
}

const NO_SHARES: Shares = new Map()
/** Most cached shares. The least recently used cliques are evicted first. */
const MAX_CACHED_SHARES = 200_000
type ShareCache = RecentlyUsed<{ revision: number; shares: Shares }>

/** Per table: revisions of different tables can't be compared. */
const cacheOf = perTable((): ShareCache => new RecentlyUsed(MAX_CACHED_SHARES, ({ shares }) => 1 + shares.size))

/** Caches shares for all members of a clique, until it changes. */
function cacheShares(known: ShareCache, { pk, revision, shares }: CliqueRecord): Shares {
  const given = new Map(Object.entries(shares).map(([id, rights]) => [toFolderId(Number(id)), rightSet(rights)]))
  known.set(pk, { revision, shares: given })
  return given
}
