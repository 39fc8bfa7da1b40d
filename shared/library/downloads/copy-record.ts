import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectInfo } from '../../backends/objects/port.ts'
import type { Changes, Condition, Key, Table } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { type Due, downloadDue } from '../due.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading, Writing } from '../library.ts'
import { isTooLarge } from '../media/copy-job.ts'
import { type AvailableMedia, objectKeys, type Rendition } from '../media/media.ts'
import { everyItem } from '../pages.ts'
import { originalSource, renditionSource, type Source, shouldCarry, type Variant } from './source.ts'

/** The object that a client gets for an original. */
export interface Deliverable {
  /** Object in the `media` bucket. */
  key: string
  /** The ETag of that object; absent for the original, which never changes. */
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
  /** Holder of the record: the maker or the remover of the copy. Random; each change of state sets a new one. */
  owner: string
  /** End of the claim, in UNIX milliseconds. A maker that has not renewed it by then has crashed. */
  until: number
  /** Object of the copy. The record comes before the object, so every copy has a record. */
  key: string
  /** Objects of earlier makers. Some may be stored. */
  former: string[]
  /** Consecutive makers that crashed. */
  crashes: number
  /** The copy, once ready; absent where the file can't be written. */
  copy?: Pick<ObjectInfo, 'bytes' | 'etag'> & { crc32: number }
  /** A newer version of the file is prepared. */
  superseded?: boolean
}

export type StoredDownload = Key & PreparedDownload

/** Partition of all copies of a file. */
const preparedPartition = (mediaId: MediaId): string => `PREPARED#${mediaId}`

export const downloadKey = (mediaId: MediaId, version: number, variant: Variant): Key => ({
  pk: preparedPartition(mediaId),
  sk: `DOWNLOAD#${version}#${variant}`,
})

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Life of a maker's claim, in milliseconds. Makers renew it while they work. */
export const CLAIM_MS = 15_000
/** Life of an unused copy, and how near its end a use renews it, so that no URL (good for 5 minutes) outlives it. */
const KEPT = { ms: 7 * DAY_MS, renewedWithinMs: DAY_MS }
/** The same of a copy whose file has a newer one. */
const SUPERSEDED = { ms: 10 * MINUTE_MS, renewedWithinMs: 6 * MINUTE_MS }
/** Pause before the next attempt on a file that could not be written. */
const UNWRITTEN_MS = DAY_MS

const newOwner = (): string => randomBytes(9).toString('base64url')

/** The record of a new maker. @param before the record that it takes over */
function claimOf({ media, variant }: Source, before: PreparedDownload | undefined, now: number): StoredDownload {
  const { mediaId, companyId, version } = media
  const owner = newOwner()
  return {
    ...downloadKey(mediaId, version, variant),
    ...{ mediaId, companyId, version, variant, state: 'making', owner, until: now + CLAIM_MS },
    key: objectKeys.download(media, `${version}.${variant}`, owner),
    former: before ? [...before.former, before.key] : [],
    crashes: before?.state === 'making' ? before.crashes + 1 : 0,
    // A record that nobody completes expires like all others.
    ...downloadDue(mediaId, now + DAY_MS),
  }
}

/** Whether a live maker works on it. */
export const isBeingMade = ({ state, until }: PreparedDownload, now: number): boolean => state === 'making' && until > now

const keeping = ({ superseded, copy }: PreparedDownload) => {
  if (superseded) return SUPERSEDED
  return copy ? KEPT : { ms: UNWRITTEN_MS, renewedWithinMs: 0 }
}

/** The new end of a copy that is made, used or superseded now. */
export const keptFrom = (download: PreparedDownload, now: number): Due => downloadDue(download.mediaId, now + keeping(download).ms)

/** Whether it may be delivered now. */
export const isReady = ({ state, dueAt, copy }: PreparedDownload, now: number): boolean =>
  state === 'ready' && (copy !== undefined || Date.parse(dueAt) > now)

/** Whether a use must renew it: its end is near. */
export const isEnding = (download: PreparedDownload, now: number): boolean =>
  download.copy !== undefined && Date.parse(download.dueAt) <= now + keeping(download).renewedWithinMs

/** The deliverable of a ready record. @param unwritten the deliverable of a file that can't be written */
export function deliverableOf<Unwritten>(
  { key, copy }: PreparedDownload,
  unwritten: Unwritten,
): (Unwritten & { metadataWritten: false }) | (Deliverable & { etag: string }) {
  return copy ? { key, ...copy, metadataWritten: true } : { ...unwritten, metadataWritten: false }
}

/*
 * Every write is conditional on the owner that was read. Each change of state changes the owner, so the slower of two writers fails and is told so.
 */

type Storing = Pick<Writing, 'table' | 'clock'>

/** The record of a copy at the version that was read of its file. */
export function findDownload({ table }: Reading, { media, variant }: Source): Promise<StoredDownload | undefined> {
  return table.get<StoredDownload>(downloadKey(media.mediaId, media.version, variant))
}

/** All prepared downloads of a file. */
export function downloadsOf({ table }: Reading, mediaId: MediaId): Promise<StoredDownload[]> {
  return Array.fromAsync(everyItem<StoredDownload>(table, { pk: preparedPartition(mediaId), consistent: true }))
}

/** Claims the record. @returns undefined where another caller was faster */
export async function claim(
  { table, clock }: Storing,
  source: Source,
  before: StoredDownload | undefined,
): Promise<StoredDownload | undefined> {
  const claimed = claimOf(source, before, clock.now())
  const condition: Condition = before ? { owner: { equals: before.owner } } : { pk: { exists: false } }
  return (await held(table.put(claimed, condition))) ? claimed : undefined
}

/** Renews the claim. */
export function renewClaim({ table, clock }: Storing, claimed: StoredDownload): Promise<boolean> {
  return updateOwned(table, claimed, { set: { until: clock.now() + CLAIM_MS } })
}

/** Completes the record. @param copy undefined where the file can't be written @returns undefined where another maker owns it by now */
export async function markReady(
  { table, clock }: Storing,
  claimed: StoredDownload,
  copy: PreparedDownload['copy'],
): Promise<StoredDownload | undefined> {
  const settled = { state: 'ready' as const, copy, ...keptFrom({ ...claimed, copy }, clock.now()) }
  return (await updateOwned(table, claimed, { set: settled })) ? { ...claimed, ...settled } : undefined
}

/** Extends the life of a copy in use. @returns whether it is still ready */
export function keepLonger({ table, clock }: Storing, download: StoredDownload): Promise<boolean> {
  return updateOwned(table, download, { set: keptFrom(download, clock.now()) }, { state: { equals: 'ready' } })
}

/** Names a copy. */
export type CopyName = Pick<PreparedDownload, 'mediaId' | 'version' | 'variant'>

/** Removes a superseded copy once its time is over. */
export const supersededJob = new JobKind<CopyName>('remove-superseded')

/** The job of a superseded copy, which nobody asks for. */
function askForRemoval({ clock }: Pick<Storing, 'clock'>, { mediaId, version, variant, companyId, owner }: PreparedDownload) {
  const by = { kind: 'job', job: supersededJob.name, run: owner } as const
  const input = { mediaId, version, variant }
  const at = clock.now() + SUPERSEDED.ms
  return supersededJob.ask({ clock, by }, { companyId, subject: `${mediaId}-${version}-${variant}`, input, at })
}

/** Lets copies of older versions expire once no URL of them is valid. */
export async function supersedeOlder({ table, clock }: Storing, mediaId: MediaId): Promise<void> {
  const ready = (await downloadsOf({ table }, mediaId)).filter(({ state }) => state === 'ready')
  const newest = Math.max(...ready.map(({ version }) => version))
  const older = ready.filter(({ version, superseded }) => version < newest && !superseded)
  await Promise.all(
    older.map((each) => {
      const { pk, sk, owner } = each
      const set = { superseded: true, ...keptFrom({ ...each, superseded: true }, clock.now()) }
      const copy = { update: { pk, sk }, changes: { set }, if: { owner: { equals: owner } } }
      return held(table.transact({ copy, job: askForRemoval({ clock }, each) }))
    }),
  )
}

/**
 * Marks a copy as expired. Its objects are removed after that.
 * @param due when the record is removed, if not by the caller
 * @returns the record, owned by the remover; undefined where another caller was faster
 */
export async function markExpired(
  { table }: Pick<Storing, 'table'>,
  download: StoredDownload,
  due?: Due,
): Promise<StoredDownload | undefined> {
  const { state, dueAt } = download
  const expired = { state: 'expired' as const, owner: newOwner(), ...due }
  const isSo = await updateOwned(table, download, { set: expired }, { state: { equals: state }, dueAt: { equals: dueAt } })
  return isSo ? { ...download, ...expired } : undefined
}

/** Deletes the record, for its owner. */
export function deleteRecord({ table }: Pick<Storing, 'table'>, { pk, sk, owner }: StoredDownload): Promise<boolean> {
  return held(table.delete({ pk, sk }, { owner: { equals: owner } }))
}

function updateOwned(table: Table, { pk, sk, owner }: StoredDownload, changes: Changes, condition: Condition = {}): Promise<boolean> {
  return held(table.update({ pk, sk }, changes, { owner: { equals: owner }, ...condition }))
}

/** The original itself. */
export function unchangedOriginal(media: AvailableMedia): Deliverable {
  const { bytes, crc32 } = media
  return { key: objectKeys.original(media), bytes, crc32, metadataWritten: !shouldCarry(media) }
}

/**
 * The deliverables of originals that are ready. Reads only. A copy near its end counts as missing, so that its maker renews it.
 * @returns in the order given; undefined where it is yet to be made
 */
export async function readyDeliverables(library: Looking, media: readonly AvailableMedia[]): Promise<(Deliverable | undefined)[]> {
  const sources = media.map(copiedOriginal)
  const copies = await readyCopies(library, sources)
  return media.map((each, index) => {
    if (!sources[index]) return unchangedOriginal(each)
    const copy = copies[index]
    return copy && deliverableOf(copy, unchangedOriginal(each))
  })
}

/** The same of renditions. One that is delivered itself has neither size nor checksum. */
export async function readyRenditions(
  library: Looking,
  wanted: readonly { media: AvailableMedia; rendition: Rendition }[],
): Promise<(Deliverable | Pick<Deliverable, 'key'> | undefined)[]> {
  const sources = wanted.map(({ media, rendition }) => renditionSource(media, rendition))
  const copies = await readyCopies(library, sources)
  return wanted.map(({ rendition: { key } }, index) => {
    if (!sources[index]) return { key }
    const copy = copies[index]
    return copy && deliverableOf(copy, { key })
  })
}

type Looking = Reading & { clock: Clock }

/** The source of an original that gets a copy; undefined for others. */
function copiedOriginal(media: AvailableMedia): Source | undefined {
  const source = originalSource(media)
  return source && !isTooLarge(source) ? source : undefined
}

async function readyCopies({ table, clock }: Looking, sources: readonly (Source | undefined)[]): Promise<(StoredDownload | undefined)[]> {
  const keys = sources.map((source) => source && downloadKey(source.media.mediaId, source.media.version, source.variant))
  const found = await table.getMany<StoredDownload>(keys.filter((key) => key !== undefined))
  const now = clock.now()
  const ready = found.filter((download) => isReady(download, now) && !isEnding(download, now))
  const byKey = new Map(ready.map((download) => [`${download.pk} ${download.sk}`, download]))
  return keys.map((key) => key && byKey.get(`${key.pk} ${key.sk}`))
}
