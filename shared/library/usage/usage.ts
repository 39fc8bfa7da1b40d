import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import type { CompanyId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'

/** Disk usage: the originals of available files and their former ones, trashcans included, each stored object once. Derived files don't count. */
export type Usage = {
  bytes: number
  files: number
  /** The part of `bytes` that only numbers hold which aren't current. */
  versionBytes: number
}

/** As stored: without `versionBytes` where there never were any. */
export type Counters = Pick<Usage, 'bytes' | 'files'> & Partial<Usage>

/** The fields of a file that disk usage depends on. */
export interface CountedMedia {
  mediaId: MediaId
  companyId: CompanyId
  /** The user whose usage the file counts for, besides the company's. */
  uploadedBy: UserId
  /** Of the current file. */
  bytes: number
  /** Of those that only its former ones hold. */
  versionBytes?: number
}

/** One shard of the disk usage of a user's uploads to a company (see `SHARDS`). */
export type UsageRecord = Key & Counters & { companyId: CompanyId; userId: UserId }

/** Items that share a user's count, chosen by the file's id, so that parallel imports of one user rarely conflict. */
const SHARDS = 8

export const usageKey = ({ companyId, uploadedBy, mediaId }: Omit<CountedMedia, 'bytes'>): Key => ({
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
  const versionBytes = sign * group.reduce((sum, media) => sum + (media.versionBytes ?? 0), 0)
  const bytes = versionBytes + sign * group.reduce((sum, media) => sum + media.bytes, 0)
  const add = { bytes, files: sign * group.length, ...(versionBytes !== 0 && { versionBytes }) }
  return { update: usageKey(first), changes: { set: { companyId, userId }, add } }
}

/** Counts what changes of the originals of a file that is and stays available. Belongs in the same transaction. */
export function storedBytesChange(media: Omit<CountedMedia, 'bytes'>, add: Pick<Usage, 'bytes' | 'versionBytes'>): Operation {
  const { companyId, uploadedBy: userId } = media
  return { update: usageKey(media), changes: { set: { companyId, userId }, add } }
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

export const NO_USAGE: Readonly<Usage> = { bytes: 0, files: 0, versionBytes: 0 }

function total(parts: readonly Counters[]): Usage {
  return parts.reduce(added, NO_USAGE)
}

/** The sum of two usages. */
export const added = (one: Usage, other: Counters): Usage => ({
  bytes: one.bytes + other.bytes,
  files: one.files + other.files,
  versionBytes: one.versionBytes + (other.versionBytes ?? 0),
})
