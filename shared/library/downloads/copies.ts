import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectInfo } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Reading, Writing } from '../library.ts'
import type { AvailableMedia, Rendition } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
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

/** Names a copy: of a file, at one of its versions. */
export type CopyName = { mediaId: MediaId; version: number; variant: Variant }

/** A copy of a file that carries the metadata of one version of it. */
export type CopyRecord = Key &
  CopyName & {
    companyId: CompanyId
    /** Object of the copy. */
    key: string
    /** What is stored; absent where the file can't be written. */
    stored?: Pick<ObjectInfo, 'bytes' | 'etag'> & { crc32: number }
    /** When it ends, in UNIX milliseconds. A use near that time renews it. */
    until: number
  }

/** Partition of all copies of a file. */
const copiesPartition = (mediaId: MediaId): string => `PREPARED#${mediaId}`

export const copyKey = ({ mediaId, version, variant }: CopyName): Key => ({
  pk: copiesPartition(mediaId),
  sk: `DOWNLOAD#${version}#${variant}`,
})

const DAY_MS = 86_400_000
/** Life of an unused copy. */
const KEPT_MS = 7 * DAY_MS
/** How near its end a use renews a copy, so that no URL (good for 5 minutes) outlives it. */
const RENEWED_WITHIN_MS = DAY_MS
/** Pause before the next attempt on a file that could not be written. */
const UNWRITTEN_MS = DAY_MS

export const nameOf = ({ media: { mediaId, version }, variant }: Source): CopyName => ({ mediaId, version, variant })

/** A copy of a source that is about to be made. Each attempt stores an object of its own. */
export function newCopy({ clock }: { clock: Clock }, source: Source): CopyRecord {
  const { media, variant } = source
  const name = nameOf(source)
  const key = objectKeys.download(media, `${media.version}.${variant}`, randomBytes(9).toString('base64url'))
  return { ...copyKey(name), ...name, companyId: media.companyId, key, until: clock.now() + KEPT_MS }
}

/** A copy that was made. @param stored undefined where the file can't be written */
export function madeCopy({ clock }: { clock: Clock }, copy: CopyRecord, stored: CopyRecord['stored']): CopyRecord {
  return stored ? { ...copy, stored } : { ...copy, until: clock.now() + UNWRITTEN_MS }
}

/** The record of a copy. */
export function findCopy({ table }: Reading, source: Source): Promise<CopyRecord | undefined> {
  return table.get<CopyRecord>(copyKey(nameOf(source)))
}

/** All copies of a file. */
export function copiesOf({ table }: Reading, mediaId: MediaId): Promise<CopyRecord[]> {
  return Array.fromAsync(everyItem<CopyRecord>(table, { pk: copiesPartition(mediaId), consistent: true }))
}

/** Removes the records of all copies of a deleted file. Its objects go with all others of the file. Idempotent. */
export async function forgetCopies({ table }: Pick<Writing, 'table'>, mediaId: MediaId): Promise<void> {
  await Promise.all((await copiesOf({ table }, mediaId)).map(({ pk, sk }) => table.delete({ pk, sk })))
}

/** Whether a copy may be delivered now. */
export const isReady = ({ stored, until }: CopyRecord, now: number): boolean => stored !== undefined || until > now

const isEnding = ({ stored, until }: CopyRecord, now: number): boolean => stored !== undefined && until <= now + RENEWED_WITHIN_MS

/** The copy of a source, for delivery now: one near its end is renewed. @returns undefined where it is yet to be made */
export async function readyCopy(library: Pick<Writing, 'table' | 'clock'>, source: Source): Promise<CopyRecord | undefined> {
  const found = await findCopy(library, source)
  const now = library.clock.now()
  if (!found || !isReady(found, now)) return undefined
  const { pk, sk, key } = found
  const renewed = () => library.table.update({ pk, sk }, { set: { until: now + KEPT_MS } }, { key: { equals: key } })
  return !isEnding(found, now) || (await held(renewed())) ? found : undefined
}

/** The deliverable of a copy. @param unwritten the deliverable of a file that can't be written */
export function deliverableOf<Unwritten>(
  { key, stored }: CopyRecord,
  unwritten: Unwritten,
): (Unwritten & { metadataWritten: false }) | (Deliverable & { etag: string }) {
  return stored ? { key, ...stored, metadataWritten: true } : { ...unwritten, metadataWritten: false }
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
  const sources = media.map((each) => originalSource(each))
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

/** The copies that are ready, in the order of their sources. Reads only, as `readyDeliverables`. */
export async function readyCopies(
  { table, clock }: Looking,
  sources: readonly (Source | undefined)[],
): Promise<(CopyRecord | undefined)[]> {
  const keys = sources.map((source) => source && copyKey(nameOf(source)))
  const found = await table.getMany<CopyRecord>(keys.filter((key) => key !== undefined))
  const now = clock.now()
  const ready = found.filter((copy) => isReady(copy, now) && !isEnding(copy, now))
  const byKey = new Map(ready.map((copy) => [`${copy.pk} ${copy.sk}`, copy]))
  return keys.map((key) => key && byKey.get(`${key.pk} ${key.sk}`))
}
