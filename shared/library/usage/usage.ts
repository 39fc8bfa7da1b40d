import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import type { CompanyId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'

/** Disk usage: the originals of available files, what lies in trashcans included. What is derived from them is not counted. */
export type Usage = {
  bytes: number
  files: number
}

/** The part of a file that disk usage depends on. */
export interface CountedMedia {
  mediaId: MediaId
  companyId: CompanyId
  /** Whom the file is counted for, besides the company. */
  uploadedBy: UserId
  bytes: number
}

/** The disk usage of a user's uploads to a company, or rather one part of it: see `SHARDS`. */
export type UsageRecord = Key & Usage & { companyId: CompanyId; userId: UserId }

/** A user's count lies in so many items, chosen by the file, that parallel imports of one user rarely meet in one. */
const SHARDS = 8

export const usageKey = ({ companyId, uploadedBy, mediaId }: CountedMedia): Key => ({
  pk: `COMPANY#${companyId}`,
  sk: `USAGE#${uploadedBy}#${mediaId % SHARDS}`,
})

/**
 * Counts a file that becomes available (1), or one that is deleted (-1). Goes into the transaction that does so, which keeps the count
 * exact whatever fails or comes twice.
 */
export function usageChange(media: CountedMedia, sign: 1 | -1): Operation {
  return changeOf([media], sign)
}

/** `usageChange` of several files, as one operation per item: a transaction takes each item once. */
export function usageChanges(media: readonly CountedMedia[], sign: 1 | -1): Operations {
  const groups = Map.groupBy(media, (each) => Object.values(usageKey(each)).join())
  return Object.fromEntries([...groups].map(([item, group]) => [`usage ${item}`, changeOf(group, sign)]))
}

/** @param group files that are counted in one item */
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
