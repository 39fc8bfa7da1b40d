import type { Item } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { companyKey, listingKey } from '../accounts/companies.ts'
import { profileImagesOf } from '../accounts/profile-images.ts'
import { identityKey } from '../accounts/sign-ons.ts'
import { findUser, userKey, usernameKey } from '../accounts/users.ts'
import { logosOf } from '../brands/brand.ts'
import { kindOf } from '../check/keys.ts'
import { held } from '../concurrency/conditional.ts'
import { NotFound } from '../errors.ts'
import { listAliases } from '../links/aliases.ts'
import { invalidateEdges } from '../links/invalidate-edges.ts'
import { removeAliasObjects } from '../links/publish-presets.ts'
import { SETTLED_SECONDS } from '../removals/folder.ts'
import { removeBelow } from '../remove-below.ts'
import { removeItem } from './items.ts'
import { lockOut } from './lock-out.ts'
import { PARALLELISM, removePartition } from './partition.ts'
import type { CompanyRemoval, Removed } from './removal.ts'

/** Pause before the next scan while edges, encodings or jobs must finish, in milliseconds. */
const PAUSE_MS = 5_000

/**
 * Removes a company and all that belongs to it: users who belong to no other company, folders, files, links, jobs, objects. First locks
 * everybody out. Then scans the table until a scan finds nothing. Items that identify others are removed after them, and the company's
 * record last, so an interrupted removal can be repeated.
 * @param report called with the number of items removed so far, from time to time
 * @throws NotFound
 */
export async function removeCompany(library: CompanyRemoval, companyId: CompanyId, report: (items: number) => void): Promise<void> {
  await beginRemoval(library, companyId)
  await lockOut(library, companyId)
  report(0)
  // Requests that began before may still write something.
  await library.clock.sleep(SETTLED_SECONDS * 1000)
  const removed = await lockOut(library, companyId)
  let items = 0
  for (let isClean = false; !isClean; ) {
    const scan = await removeItems(library, removed, (more) => {
      items += more
      report(items)
    })
    isClean = scan.removed + scan.waiting === 0
    if (library.edgeCache) await invalidateEdges({ ...library, edgeCache: library.edgeCache }, () => false)
    if (scan.waiting > 0) await library.clock.sleep(PAUSE_MS)
  }
  for (const prefix of [`${companyId}/`, `search/${companyId}/`, logosOf(companyId)]) await removeBelow(library.media, prefix)
  const aliases = (await listAliases(library, companyId)).map(({ alias }) => alias)
  await removeAliasObjects(library, companyId, aliases)
  await library.removeRemains?.(removed)
  for (const userId of removed.users) await removeUser(library, userId)
  await removeRecords(library, companyId)
}

/** Marks a company as being removed. @throws NotFound */
async function beginRemoval({ table, clock, by }: CompanyRemoval, companyId: CompanyId): Promise<void> {
  const noted = table.update(companyKey(companyId), { set: { removing: clock.now(), by } }, { pk: { exists: true } })
  if (!(await held(noted))) throw new NotFound('company')
}

/** Scans the table once, and removes items of the company. */
async function removeItems(
  library: CompanyRemoval,
  removed: Removed,
  report: (items: number) => void,
): Promise<{ removed: number; waiting: number }> {
  const sum = { removed: 0, waiting: 0 }
  let cursor: string | undefined
  do {
    const page = await library.scanner.scan(cursor === undefined ? {} : { cursor })
    await forgetFiles(library, removed, page.items)
    let gone = 0
    await inParallel(page.items, PARALLELISM, async (item) => {
      const outcome = await removeItem(library, removed, item)
      if (outcome === 'removed') gone += 1
      if (outcome === 'waits for others') sum.waiting += 1
    })
    sum.removed += gone
    if (gone > 0) report(gone)
    cursor = page.cursor
  } while (cursor !== undefined)
  return sum
}

/** Removes files from the search index. Runs before their records are removed, because the index can't be updated without them. */
async function forgetFiles({ searchIndexer }: CompanyRemoval, { companyId }: Removed, items: readonly Item[]): Promise<void> {
  const files = items.filter((item) => kindOf(item) === 'MEDIA MEDIA' && item.companyId === companyId)
  if (!searchIndexer || files.length === 0) return
  const changes = files.map(({ mediaId, revision }) => ({
    mediaId: mediaId as number,
    revision: revision as number,
    removed: true as const,
  }))
  await searchIndexer.index(changes.map((change) => ({ companyId, change })))
}

/** Removes a locked-out user, their record last. */
async function removeUser(library: CompanyRemoval, userId: UserId): Promise<void> {
  const { table, media } = library
  const user = await findUser(library, userId)
  if (!user) return
  await removeBelow(media, profileImagesOf(userId))
  for (const identity of user.identities ?? []) await table.delete(identityKey(identity))
  const key = userKey(userId)
  await removePartition(library, `ZIPS#user-${userId}`)
  await removePartition(library, key.pk, key)
  await table.transact({ user: { delete: key }, username: { delete: usernameKey(user.username) } })
}

/** Removes the company's own partition, its record last. */
async function removeRecords(library: CompanyRemoval, companyId: CompanyId): Promise<void> {
  const key = companyKey(companyId)
  await removePartition(library, key.pk, key)
  await library.table.transact({ company: { delete: key }, listing: { delete: listingKey(companyId) } })
}
