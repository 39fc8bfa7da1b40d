import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import type { CompanyId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'

/** Disk usage: the originals of available files, trashcans included. Derived files don't count. */
export type Usage = {
  bytes: number
  files: number
}

/** The fields of a file that disk usage depends on. */
export interface CountedMedia {
  mediaId: MediaId
  companyId: CompanyId
  /** The user whose usage the file counts for, besides the company's. */
  uploadedBy: UserId
  bytes: number
}

/** One shard of the disk usage of a user's uploads to a company (see `SHARDS`). */
export type UsageRecord = Key & Usage & { companyId: CompanyId; userId: UserId }

/** Items that share a user's count, chosen by the file's id, so that parallel imports of one user rarely conflict. */
const SHARDS = 8

export const usageKey = ({ companyId, uploadedBy, mediaId }: CountedMedia): Key => ({
  pk: `COMPANY#${companyId}`,
  sk: `USAGE#${uploadedBy}#${mediaId % SHARDS}`,
})

/**
 * Counts a file that becomes available (1) or is deleted (-1). Belongs in the same transaction, so that the count stays exact through
 * failures and retries.
 */
export function usageChange(media: CountedMedia, sign: 1 | -1): Operation {
  return changeOf([media], sign)
}

/** `usageChange` of several files, as one operation per item: a transaction takes each item once. */
export function usageChanges(media: readonly CountedMedia[], sign: 1 | -1): Operations {
  const groups = Map.groupBy(media, (each) => Object.values(usageKey(each)).join())
  return Object.fromEntries([...groups].map(([item, group]) => [`usage ${item}`, changeOf(group, sign)]))
}

/** @param group files counted in the same item */
function changeOf(group: readonly CountedMedia[], sign: 1 | -1): Operation {
  const first = group[0]!
  const { companyId, uploadedBy: userId } = first
  const bytes = sign * group.reduce((sum, media) => sum + media.bytes, 0)
  return { update: usageKey(first), changes: { set: { companyId, userId }, add: { bytes, files: sign * group.length } } }
}

/** The disk usage of a company. */
export async function usageOfCompany(library: Reading, companyId: CompanyId): Promise<Usage> {
  return count(library, companyId, 'USAGE#')
}

/** The disk usage of a user's uploads to these companies. */
export async function usageOfUser(library: Reading, userId: UserId, companyIds: readonly CompanyId[]): Promise<Usage> {
  return total(await Promise.all(companyIds.map((companyId) => count(library, companyId, `USAGE#${userId}#`))))
}

async function count({ table }: Reading, companyId: CompanyId, beginsWith: string): Promise<Usage> {
  const query = { pk: `COMPANY#${companyId}`, sk: { beginsWith }, consistent: true }
  return total(await Array.fromAsync(everyItem<UsageRecord>(table, query)))
}

function total(parts: readonly Usage[]): Usage {
  return parts.reduce((sum, { bytes, files }) => ({ bytes: sum.bytes + bytes, files: sum.files + files }), { bytes: 0, files: 0 })
}
