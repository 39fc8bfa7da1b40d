import type { Key, Operation, Operations, Table, TableReader } from '../../backends/table/port.ts'
import type { Access } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { type Due, jobDue } from '../due.ts'
import { NotFound } from '../errors.ts'
import { retryOnConflict } from '../retry.ts'

/** What a list shows of a clique: kept in its company's partition, so that listing cliques reads none of their shares. */
export type ListedClique = Pick<CliqueRecord, 'cliqueId' | 'companyId' | 'name' | 'thumbnail'>

export const LISTING_PREFIX = 'CLIQUE#'
export const listingKey = (companyId: number, cliqueId: number): Key => ({
  pk: `COMPANY#${companyId}`,
  sk: `${LISTING_PREFIX}${cliqueId}`,
})

/**
 * Stands from the deletion of a clique until its memberships are taken away: who checks the library sees that they are about to be, and who
 * sweeps lost jobs that they still are. (Those of earlier versions consist of their key.)
 */
export type CliqueRemoval = Key &
  Due & {
    companyId: number
    /** UNIX milliseconds */
    deleted: number
  }

export const removalKey = (cliqueId: number): Key => ({ pk: `CLIQUE#${cliqueId}`, sk: 'REMOVAL' })

/** @param now UNIX milliseconds */
export function cliqueRemoval({ cliqueId, companyId }: Pick<CliqueRecord, 'cliqueId' | 'companyId'>, now: number): CliqueRemoval {
  return { ...removalKey(cliqueId), companyId, deleted: now, ...jobDue(cliqueId, now) }
}

export function listing({ cliqueId, companyId, name, thumbnail }: ListedClique): Operation {
  return { put: { ...listingKey(companyId, cliqueId), cliqueId, companyId, name, thumbnail } }
}

/** A clique that the caller manages. @throws NotFound for one of a company that they don't belong to, Forbidden when they are not its admin */
export async function managedClique(table: TableReader, access: Access, cliqueId: number): Promise<CliqueRecord> {
  const clique = await findClique(table, cliqueId)
  if (!access.isMember(clique.companyId)) throw new NotFound('clique')
  requireAdmin(access, clique.companyId)
  return clique
}

/** @throws NotFound */
export async function findClique(table: TableReader, cliqueId: number): Promise<CliqueRecord> {
  const clique = await table.get<CliqueRecord>(cliqueKey(cliqueId))
  if (!clique) throw new NotFound('clique')
  return clique
}

/** What of a clique may change. */
export type CliqueChanges = Partial<Pick<CliqueRecord, 'name' | 'thumbnail' | 'shares'>>

/**
 * The operation by which every change of a clique goes, also one of its members: it fails when the clique is not what was read any more,
 * so that changes of one clique happen one after the other and a deleted one gets neither members nor shares.
 */
export function cliqueRevision(clique: CliqueRecord, changes: CliqueChanges = {}): Operation {
  return {
    update: cliqueKey(clique.cliqueId),
    changes: { set: { ...changes, revision: clique.revision + 1 } },
    if: { revision: { equals: clique.revision } },
  }
}

/**
 * Changes a clique. `plan` sees it as it is, says what changes and what else happens in the same transaction, and runs again when somebody
 * else was faster. @returns the clique after the change
 * @throws NotFound, Conflict when others were faster every time, and whatever `plan` throws
 */
export async function changeCliqueRecord(
  table: Table,
  cliqueId: number,
  plan: (clique: CliqueRecord) => { changes: CliqueChanges; also?: Operations },
): Promise<CliqueRecord> {
  return retryOnConflict(async () => {
    const clique = await findClique(table, cliqueId)
    const { changes, also } = plan(clique)
    await table.transact({ clique: cliqueRevision(clique, changes), ...also })
    return { ...clique, ...changes, revision: clique.revision + 1 }
  })
}
