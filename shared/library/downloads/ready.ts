import type { Clock } from '../../backends/clock/port.ts'
import type { Reading } from '../library.ts'
import { isTooLarge } from '../media/copy-job.ts'
import { type AvailableMedia, objectKeys } from '../media/media.ts'
import { type Deliverable, deliverableOf, downloadKey, isEnding, isReady, type StoredDownload } from './prepared.ts'
import { originalSource, shouldCarry } from './source.ts'

/** The original itself. */
export function asItIs(media: AvailableMedia): Deliverable {
  const { bytes, crc32 } = media
  return { key: objectKeys.original(media), bytes, crc32, metadataWritten: !shouldCarry(media) }
}

/**
 * What is delivered for originals, without making any. Reads only: a copy that is to be removed soon counts as one that is yet to be made,
 * so that who makes it keeps it.
 * @returns in the order given; undefined where it is yet to be made
 */
export async function readyDeliverables(
  { table, clock }: Reading & { clock: Clock },
  media: readonly AvailableMedia[],
): Promise<(Deliverable | undefined)[]> {
  const known = media.map((each) => ({ media: each, now: withoutCopy(each), key: downloadKey(each.mediaId, each.version, 'original') }))
  const wanted = known.filter(({ now }) => now === undefined).map(({ key }) => key)
  const found = await table.getMany<StoredDownload>(wanted)
  const byKey = new Map(found.map((download) => [`${download.pk} ${download.sk}`, download]))
  return known.map(({ media, now, key }) => now ?? readyOf(media, byKey.get(`${key.pk} ${key.sk}`), clock.now()))
}

/** What is delivered for an original of which no copy is ever made. @returns undefined where one is */
function withoutCopy(media: AvailableMedia): Deliverable | undefined {
  const source = originalSource(media)
  return !source || isTooLarge(source) ? asItIs(media) : undefined
}

function readyOf(media: AvailableMedia, download: StoredDownload | undefined, now: number): Deliverable | undefined {
  if (!download || !isReady(download, now) || isEnding(download, now)) return undefined
  return deliverableOf(download, asItIs(media))
}
