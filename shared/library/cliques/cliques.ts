import type { Key } from '../../backends/table/port.ts'
import type { CliqueId, CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { requireAdmin } from '../access/people.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import type { UserRecord } from '../accounts/users.ts'
import { byName } from '../by-name.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Forbidden, Invalid } from '../errors.ts'
import { withId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { mediaWith } from '../media/find.ts'
import { everyItem } from '../pages.ts'
import { askForRemoval } from '../tree/folder-changes.ts'
import { changeCliqueRecord, findClique, LISTING_PREFIX, type ListedClique, listing, listingKey, managedClique } from './clique.ts'

/**
 * Makes a clique without members and shares. The picture is a file of the company that the caller may READ, imported or not.
 * @throws NotFound for a company or picture that the caller may not know of, Forbidden, Invalid for a picture of another company
 */
export async function createClique(
  library: AuthorizedWriting,
  { companyId, name, thumbnail }: Pick<CliqueRecord, 'companyId' | 'name' | 'thumbnail'>,
): Promise<CliqueRecord> {
  requireAdmin(library, companyId)
  if (thumbnail !== null) await checkThumbnail(library, companyId, thumbnail)
  return makeClique(library, { companyId, name, thumbnail })
}

/**
 * As `createClique()`, without checking rights.
 * @param wanted wanted id; absent: a fresh one
 * @throws Conflict if it is taken
 */
export function makeClique(
  { table, by }: Writing,
  { companyId, name, thumbnail }: Pick<CliqueRecord, 'companyId' | 'name' | 'thumbnail'>,
  wanted?: CliqueId,
): Promise<CliqueRecord> {
  return withId(wanted, 'group', async (cliqueId: CliqueId) => {
    const clique: CliqueRecord = { ...cliqueKey(cliqueId), cliqueId, companyId, name, thumbnail, shares: {}, revision: 1, by }
    await table.transact({ claim: { put: clique, if: { pk: { exists: false } } }, listing: listing(clique) })
    return clique
  })
}

/**
 * Changes a clique's name or picture; absent values stay. `companyId`, if given, must be the clique's: members and folders belong to that
 * company.
 * @throws NotFound, Forbidden, Invalid
 */
export async function changeClique(
  library: AuthorizedWriting,
  cliqueId: CliqueId,
  { name, companyId, thumbnail }: Partial<Pick<CliqueRecord, 'companyId' | 'name' | 'thumbnail'>>,
): Promise<CliqueRecord> {
  const known = await managedClique(library, cliqueId)
  if (companyId !== undefined && companyId !== known.companyId) {
    requireAdmin(library, companyId)
    throw new Invalid({ path: 'svc_id', message: 'must stay the same: a clique cannot move to another company' })
  }
  // The current picture may be a deleted file. Clients may send back what they have read.
  if (typeof thumbnail === 'number' && thumbnail !== known.thumbnail) await checkThumbnail(library, known.companyId, thumbnail)
  return changeCliqueRecord(library, cliqueId, (clique) => {
    const changes = { name: name ?? clique.name, thumbnail: thumbnail === undefined ? clique.thumbnail : thumbnail }
    return { changes, also: { listing: listing({ ...clique, ...changes }) } }
  })
}

/**
 * Deletes a clique. Its members lose the rights with their next request. A job removes the memberships (removals/clique.ts).
 * @throws NotFound, Forbidden
 */
export async function deleteClique(library: AuthorizedWriting, cliqueId: CliqueId): Promise<void> {
  await managedClique(library, cliqueId)
  await retryOnConflict(async () => {
    const { companyId, revision } = await findClique(library, cliqueId)
    await library.table.transact({
      clique: { delete: cliqueKey(cliqueId), if: { revision: { equals: revision } } },
      listing: { delete: listingKey(companyId, cliqueId) },
      removal: askForRemoval(library, companyId, { cliqueId }),
    })
  })
}

/** All cliques that the caller manages, sorted by name. @throws Forbidden for callers who administer no company */
export async function listManagedCliques(library: AuthorizedReading): Promise<ListedClique[]> {
  const { access } = library
  const companies = access.companyIds.filter((companyId) => access.isAdmin(companyId))
  if (companies.length === 0) throw new Forbidden('Only admins of a company manage its cliques.')
  const lists = await Promise.all(companies.map((companyId) => Array.fromAsync(cliquesOfCompany(library, companyId))))
  return lists.flat().sort(inOrder)
}

/** Cliques that a user is a member of, in all companies, sorted by name. */
export async function listCliquesOf({ table }: Reading, user: Pick<UserRecord, 'cliques'>): Promise<ListedClique[]> {
  return (await table.getMany<CliqueRecord>(user.cliques.map(cliqueKey))).sort(inOrder)
}

export function cliquesOfCompany({ table }: Reading, companyId: CompanyId): AsyncGenerator<Key & ListedClique> {
  return everyItem(table, { pk: `COMPANY#${companyId}`, sk: { beginsWith: LISTING_PREFIX }, consistent: true })
}

async function checkThumbnail({ table, access }: AuthorizedReading, companyId: CompanyId, mediaId: MediaId): Promise<void> {
  const media = await mediaWith({ table, access }, 'READ', mediaId)
  await access.requireOwned(media)
  if (media.companyId !== companyId) throw new Invalid({ path: 'thumbnail_id', message: 'is a file of another company' })
}

const inOrder = byName<ListedClique>(
  ({ name }) => name,
  ({ cliqueId }) => cliqueId,
)
