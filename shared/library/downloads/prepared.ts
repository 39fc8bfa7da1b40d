import { randomBytes } from 'node:crypto'
import type { ObjectInfo } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { type Due, downloadDue } from '../due.ts'
import { objectKeys } from '../media/media.ts'
import type { Source, Variant } from './source.ts'

/** The object that is delivered for an original. */
export interface Deliverable {
  /** Object in the `media` bucket. */
  key: string
  /** Of that object; absent where it is the original, which never changes. */
  etag?: string
  bytes: number
  /** Unsigned, as zip archives have it. */
  crc32: number
  /** False where the file should carry the library's metadata, and does not. */
  metadataWritten: boolean
}

/** A copy of a file that carries the metadata of one version of it. */
export type PreparedDownload = Due & {
  mediaId: MediaId
  companyId: CompanyId
  version: number
  variant: Variant
  /** `expired`: it is being removed, and may be made anew. */
  state: 'making' | 'ready' | 'expired'
  /** Who may change the record: whoever makes the copy, or removes it. Random, and another one with each change of state. */
  owner: string
  /** UNIX milliseconds. A maker that has not said by then that it goes on has crashed. */
  until: number
  /** Object of the copy. The record is written before it is stored, so every copy has a record. */
  key: string
  /** Objects of makers before, which may have stored them. */
  former: string[]
  /** Makers that crashed, one after the other. */
  crashes: number
  /** Of the copy, once ready; absent where the file can't be written. */
  copy?: Pick<ObjectInfo, 'bytes' | 'etag'> & { crc32: number }
  /** A newer version of the file is prepared. */
  superseded?: boolean
}

export type StoredDownload = Key & PreparedDownload

/** Everything that is prepared of a file. */
export const preparedPartition = (mediaId: MediaId): string => `PREPARED#${mediaId}`

export const downloadKey = (mediaId: MediaId, version: number, variant: Variant): Key => ({
  pk: preparedPartition(mediaId),
  sk: `DOWNLOAD#${version}#${variant}`,
})

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long a maker's claim holds, in milliseconds. Makers renew it while they work. */
export const CLAIM_MS = 15_000
/** How long a copy is kept that nobody fetches; and how long before its end a use renews it, so that no URL outlives it (they live 5 minutes). */
const KEPT = { ms: 7 * DAY_MS, renewedWithinMs: DAY_MS }
/** The same of a copy whose file has a newer one. */
const SUPERSEDED = { ms: 10 * MINUTE_MS, renewedWithinMs: 6 * MINUTE_MS }
/** After which it is tried again to write a file that could not be written. */
const UNWRITTEN_MS = DAY_MS

export const newOwner = (): string => randomBytes(9).toString('base64url')

/** The record of a maker that begins. @param before the record that it takes over */
export function claimOf({ media, variant }: Source, before: PreparedDownload | undefined, now: number): StoredDownload {
  const { mediaId, companyId, version } = media
  const owner = newOwner()
  return {
    ...downloadKey(mediaId, version, variant),
    ...{ mediaId, companyId, version, variant, state: 'making', owner, until: now + CLAIM_MS },
    key: objectKeys.download(media, `${version}.${variant}`, owner),
    former: before ? [...before.former, before.key] : [],
    crashes: before?.state === 'making' ? before.crashes + 1 : 0,
    // Should nobody ever end it, it is removed as others are.
    ...downloadDue(mediaId, now + DAY_MS),
  }
}

/** Whether somebody makes it now. */
export const isBeingMade = ({ state, until }: PreparedDownload, now: number): boolean => state === 'making' && until > now

const keeping = ({ superseded, copy }: PreparedDownload) => {
  if (superseded) return SUPERSEDED
  return copy ? KEPT : { ms: UNWRITTEN_MS, renewedWithinMs: 0 }
}

/** Until when it is kept that is made, used or superseded now. */
export const keptFrom = (download: PreparedDownload, now: number): Due => downloadDue(download.mediaId, now + keeping(download).ms)

/** Whether it may be offered now. */
export const isReady = ({ state, dueAt, copy }: PreparedDownload, now: number): boolean =>
  state === 'ready' && (copy !== undefined || Date.parse(dueAt) > now)

/** Whether its end is so near that a use has to renew it. */
export const isEnding = (download: PreparedDownload, now: number): boolean =>
  download.copy !== undefined && Date.parse(download.dueAt) <= now + keeping(download).renewedWithinMs

/** What is delivered, by a record that is ready. @param unwritten what is delivered where the file can't be written */
export function deliverableOf<Unwritten>(
  { key, copy }: PreparedDownload,
  unwritten: Unwritten,
): (Unwritten & { metadataWritten: false }) | (Deliverable & { etag: string }) {
  return copy ? { key, ...copy, metadataWritten: true } : { ...unwritten, metadataWritten: false }
}
