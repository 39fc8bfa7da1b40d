import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import type { Access } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import type { UserRecord } from '../accounts/users.ts'
import { byName } from '../by-name.ts'
import { Forbidden, Invalid } from '../errors.ts'
import { withFreshId } from '../ids.ts'
import { mediaWith } from '../media/find.ts'
import { everyItem } from '../pages.ts'
import { retryOnConflict } from '../retry.ts'
import {
  changeCliqueRecord,
  cliqueRemoval,
  findClique,
  LISTING_PREFIX,
  type ListedClique,
  listing,
  listingKey,
  managedClique,
} from './clique.ts'

/**
 * Makes a clique without members and shares. The picture is a file of the company that the caller may READ, imported or not.
 * @throws NotFound for a company or picture that the caller may not know of, Forbidden, Invalid for a picture of another company
 */
export async function createClique(
  table: Table,
  access: Access,
  { companyId, name, thumbnail }: Pick<CliqueRecord, 'companyId' | 'name' | 'thumbnail'>,
): Promise<CliqueRecord> {
  requireAdmin(access, companyId)
  if (thumbnail !== null) await checkThumbnail(table, access, companyId, thumbnail)
  return withFreshId(async (cliqueId) => {
    const clique: CliqueRecord = { ...cliqueKey(cliqueId), cliqueId, companyId, name, thumbnail, shares: {}, revision: 1 }
    await table.transact({ claim: { put: clique, if: { pk: { exists: false } } }, listing: listing(clique) })
    return clique
  })
}

/**
 * Changes name or picture; what isn't given stays. `companyId` may say where the clique is, and nothing else: its members and folders are
 * that company's.
 * @throws NotFound, Forbidden, Invalid
 */
export async function changeClique(
  table: Table,
  access: Access,
  cliqueId: number,
  { name, companyId, thumbnail }: Partial<Pick<CliqueRecord, 'companyId' | 'name' | 'thumbnail'>>,
): Promise<CliqueRecord> {
  const known = await managedClique(table, access, cliqueId)
  if (companyId !== undefined && companyId !== known.companyId) {
    requireAdmin(access, companyId)
    throw new Invalid({ path: 'svc_id', message: 'must stay the same: a clique cannot move to another company' })
  }
  // One that is there already may be of a file that is gone: what a client reads it can send back.
  if (typeof thumbnail === 'number' && thumbnail !== known.thumbnail) await checkThumbnail(table, access, known.companyId, thumbnail)
  return changeCliqueRecord(table, cliqueId, (clique) => {
    const changes = { name: name ?? clique.name, thumbnail: thumbnail === undefined ? clique.thumbnail : thumbnail }
    return { changes, also: { listing: listing({ ...clique, ...changes }) } }
  })
}

/**
 * Deletes a clique: what its members had by it is gone with their next request. The committed deletion starts the job that takes the
 * memberships away (removals/clique.ts). @throws NotFound, Forbidden
 */
export async function deleteClique({ table, clock }: { table: Table; clock: Clock }, access: Access, cliqueId: number): Promise<void> {
  await managedClique(table, access, cliqueId)
  await retryOnConflict(async () => {
    const clique = await findClique(table, cliqueId)
    const { companyId, revision } = clique
    await table.transact({
      clique: { delete: cliqueKey(cliqueId), if: { revision: { equals: revision } } },
      listing: { delete: listingKey(companyId, cliqueId) },
      removal: { put: cliqueRemoval(clique, clock.now()) },
    })
  })
}

/** All cliques that the caller manages, by name. @throws Forbidden for who is admin nowhere */
export async function listManagedCliques(table: TableReader, access: Access): Promise<ListedClique[]> {
  const companies = access.companyIds.filter((companyId) => access.isAdmin(companyId))
  if (companies.length === 0) throw new Forbidden('Only admins of a company manage its cliques.')
  const lists = await Promise.all(companies.map((companyId) => Array.fromAsync(cliquesOfCompany(table, companyId))))
  return lists.flat().sort(inOrder)
}

/** Cliques that a user is a member of, in all companies, by name. */
export async function listCliquesOf(table: TableReader, user: Pick<UserRecord, 'cliques'>): Promise<ListedClique[]> {
  return (await table.getMany<CliqueRecord>(user.cliques.map(cliqueKey))).sort(inOrder)
}

export function cliquesOfCompany(table: TableReader, companyId: number): AsyncGenerator<Key & ListedClique> {
  return everyItem(table, { pk: `COMPANY#${companyId}`, sk: { beginsWith: LISTING_PREFIX }, consistent: true })
}

async function checkThumbnail(table: TableReader, access: Access, companyId: number, mediaId: number): Promise<void> {
  const media = await mediaWith({ table, access }, 'READ', mediaId)
  if (media.companyId !== companyId) throw new Invalid({ path: 'thumbnail_id', message: 'is a file of another company' })
}

const inOrder = byName<ListedClique>(
  ({ name }) => name,
  ({ cliqueId }) => cliqueId,
)
