import type { Operations } from '../../backends/table/port.ts'
import type { CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { JobKind } from '../jobs/job.ts'
import type { Again } from '../jobs/run.ts'
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

/** Days for which a link that has ended can be opened again. */
export const SHARE_DAYS = 30

/** UNIX milliseconds; never where the link doesn't end. */
const removedAt = ({ expires = Number.POSITIVE_INFINITY }: Pick<ShareRecord, 'expires'>): number => expires + SHARE_DAYS * 86_400_000

/** Removes a link `SHARE_DAYS` after its end. */
export const shareExpiryJob = new JobKind<{ shareId: string }>('expire-share')

/** The write that asks for that, in the transaction that gives a link its end. */
export function askForShareExpiry(
  library: Pick<Writing, 'clock' | 'by'>,
  { shareId, companyId, expires }: Pick<ShareRecord, 'shareId' | 'companyId' | 'expires'>,
): Operations {
  if (expires === undefined) return {}
  return { expiry: shareExpiryJob.ask(library, { companyId, subject: shareId, input: { shareId }, at: removedAt({ expires }) }) }
}

/** Removes a link that ended `SHARE_DAYS` ago. It may have been given another end since, or none. */
export async function expireShare(library: Writing, shareId: string): Promise<Again | undefined> {
  await deleteWhere(library, shareId, (share) => removedAt(share) <= library.clock.now())
  const left = removedAt((await findShare(library, shareId)) ?? {}) - library.clock.now()
  return left === Number.POSITIVE_INFINITY ? undefined : { inSeconds: left / 1_000 }
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
