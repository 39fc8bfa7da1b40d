import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import type { CliqueId, CompanyId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'

/** A clique in lists. Stored in its company's partition, so that a list reads no shares. */
export type ListedClique = Pick<CliqueRecord, 'cliqueId' | 'companyId' | 'name' | 'thumbnail'>

export const LISTING_PREFIX = 'CLIQUE#'
export const listingKey = (companyId: CompanyId, cliqueId: CliqueId): Key => ({
  pk: `COMPANY#${companyId}`,
  sk: `${LISTING_PREFIX}${cliqueId}`,
})

export function listing({ cliqueId, companyId, name, thumbnail }: ListedClique): Operation {
  return { put: { ...listingKey(companyId, cliqueId), cliqueId, companyId, name, thumbnail } }
}

/**
 * A clique that the caller manages. @throws NotFound for cliques of other companies, Forbidden for callers who aren't its company's admins
 */
export async function managedClique(library: AuthorizedReading, cliqueId: CliqueId): Promise<CliqueRecord> {
  const clique = await findClique(library, cliqueId)
  if (!library.access.isMember(clique.companyId)) throw new NotFound('clique')
  requireAdmin(library, clique.companyId)
  return clique
}

/** @throws NotFound */
export async function findClique({ table }: Reading, cliqueId: CliqueId): Promise<CliqueRecord> {
  const clique = await table.get<CliqueRecord>(cliqueKey(cliqueId))
  if (!clique) throw new NotFound('clique')
  return clique
}

export type CliqueChanges = Partial<Pick<CliqueRecord, 'name' | 'thumbnail' | 'shares'>>

/**
 * The operation that every change of a clique and of its members includes. It fails if the clique has changed since it was read. So changes
 * of a clique are serialized, and a deleted one gets neither members nor shares.
 */
export function cliqueRevision({ by }: Pick<Writing, 'by'>, clique: CliqueRecord, changes: CliqueChanges = {}): Operation {
  return {
    update: cliqueKey(clique.cliqueId),
    changes: { set: { ...changes, revision: clique.revision + 1, by } },
    if: { revision: { equals: clique.revision } },
  }
}

/**
 * Changes a clique.
 * @param plan computes the changes, and further operations of the transaction, from the current clique. Runs again after a conflict
 * @returns the clique after the change
 * @throws NotFound, Conflict when others keep winning, and the errors of `plan`
 */
export async function changeCliqueRecord(
  library: Writing,
  cliqueId: CliqueId,
  plan: (clique: CliqueRecord) => { changes: CliqueChanges; also?: Operations },
): Promise<CliqueRecord> {
  return retryOnConflict(async () => {
    const clique = await findClique(library, cliqueId)
    const { changes, also } = plan(clique)
    await library.table.transact({ clique: cliqueRevision(library, clique, changes), ...also })
    return { ...clique, ...changes, revision: clique.revision + 1 }
  })
}
