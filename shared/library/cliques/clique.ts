import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import type { CliqueId, CompanyId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'

/** A clique in lists: kept in its company's partition, so that listing cliques reads none of their shares. */
export type ListedClique = Pick<CliqueRecord, 'cliqueId' | 'companyId' | 'name' | 'thumbnail'>

export const LISTING_PREFIX = 'CLIQUE#'
export const listingKey = (companyId: CompanyId, cliqueId: CliqueId): Key => ({
  pk: `COMPANY#${companyId}`,
  sk: `${LISTING_PREFIX}${cliqueId}`,
})

export function listing({ cliqueId, companyId, name, thumbnail }: ListedClique): Operation {
  return { put: { ...listingKey(companyId, cliqueId), cliqueId, companyId, name, thumbnail } }
}

/** A clique that the caller manages. @throws NotFound for one of a company that they don't belong to, Forbidden when they are not its admin */
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

/** The changes of a clique. */
export type CliqueChanges = Partial<Pick<CliqueRecord, 'name' | 'thumbnail' | 'shares'>>

/**
 * The operation by which every change of a clique goes, also one of its members: it fails when the clique has changed since it was read,
 * so that changes of one clique happen one after the other and a deleted one gets neither members nor shares.
 */
export function cliqueRevision({ by }: Pick<Writing, 'by'>, clique: CliqueRecord, changes: CliqueChanges = {}): Operation {
  return {
    update: cliqueKey(clique.cliqueId),
    changes: { set: { ...changes, revision: clique.revision + 1, by } },
    if: { revision: { equals: clique.revision } },
  }
}

/**
 * Changes a clique. `plan` sees it as it is, says what changes and what else happens in the same transaction, and runs again when another
 * request was faster. @returns the clique after the change
 * @throws NotFound, Conflict when others were faster every time, and whatever `plan` throws
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
