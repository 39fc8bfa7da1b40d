import type { CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { forEachDue, isDue } from '../due.ts'
import type { Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import {
  companySharesKey,
  countsKey,
  findShare,
  type ListedShare,
  listingKey,
  type RemovedShare,
  removedKey,
  type ShareRecord,
  secretKey,
  shareKey,
  uploadsEnd,
  userSharesPrefix,
} from './share.ts'

/** Longer than the two weeks in which a change may be redelivered. */
const REMEMBERED_SECONDS = 16 * 86_400

/** Removes a link, and leaves a record for the feed. Checks no rights. @throws ConditionFailed when it has changed since it was read */
export async function deleteShare(library: Writing, share: ShareRecord): Promise<void> {
  const { table, clock, by } = library
  const { shareId, companyId, userId, secretHash, revision } = share
  const ttl = Math.floor(clock.now() / 1000) + REMEMBERED_SECONDS
  await table.transact({
    share: { delete: shareKey(shareId), if: { revision: { equals: revision } } },
    counts: { delete: countsKey(shareId) },
    secret: { delete: secretKey(secretHash) },
    listing: { delete: listingKey(share) },
    removed: { put: { ...removedKey(shareId), shareId, companyId, userId, by, ttl } satisfies RemovedShare },
    ...uploadsEnd(library, share),
  })
}

/**
 * Removes links that ended `SHARE_DAYS` ago.
 * @param outOfTime checked before each link; true stops
 * @throws AggregateError after processing all others
 */
export async function expireShares(library: Writing, outOfTime: () => boolean): Promise<void> {
  // The index lags, so the link may have been extended.
  const isOver = (share: ShareRecord) => isDue(share, library.clock.now())
  await forEachDue(library, 'SHARE', outOfTime, ({ pk }) => deleteWhere(library, pk.slice(shareKey('').pk.length), isOver))
}

/** Removes a user's links in a company. Idempotent. */
export async function removeSharesOfUser(library: Writing, companyId: CompanyId, userId: UserId): Promise<void> {
  const query = { pk: companySharesKey(companyId), sk: { beginsWith: userSharesPrefix(userId) }, consistent: true }
  for await (const { shareId } of everyItem<ListedShare>(library.table, query)) await deleteWhere(library, shareId, () => true)
}

/** Removes all links of a company. Idempotent. */
export async function removeSharesOfCompany(library: Writing, companyId: CompanyId): Promise<void> {
  const query = { pk: companySharesKey(companyId), consistent: true }
  for await (const { shareId } of everyItem<ListedShare>(library.table, query)) await deleteWhere(library, shareId, () => true)
}

/** Removes the links to deleted folders. Idempotent. */
export async function removeSharesOfFolders(library: Writing, companyId: CompanyId, folderIds: readonly FolderId[]): Promise<void> {
  const { table } = library
  const gone = new Set(folderIds)
  const isTo = ({ folderId }: Pick<ShareRecord, 'folderId'>) => folderId !== undefined && gone.has(folderId)
  const listed = await Array.fromAsync(everyItem<ListedShare>(table, { pk: companySharesKey(companyId), consistent: true }))
  const attributes = ['shareId', 'folderId'] as const
  const shares = await table.getMany<Pick<ShareRecord, 'pk' | 'sk' | (typeof attributes)[number]>>(
    listed.map(({ shareId }) => shareKey(shareId)),
    { attributes },
  )
  for (const { shareId } of shares.filter(isTo)) await deleteWhere(library, shareId, isTo)
}

/** Removes a link while the predicate holds. Retries when another change was faster. */
async function deleteWhere(library: Writing, shareId: string, is: (share: ShareRecord) => boolean): Promise<void> {
  await retryOnConflict(async () => {
    const share = await findShare(library, shareId)
    if (share && is(share)) await deleteShare(library, share)
  })
}
