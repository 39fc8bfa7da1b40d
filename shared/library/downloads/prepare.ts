import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectMissing } from '../../backends/objects/port.ts'
import { NotFound } from '../errors.ts'
import { isTooLarge } from '../media/copy-job.ts'
import { getMedia } from '../media/find.ts'
import type { AvailableMedia, Rendition } from '../media/media.ts'
import { renewing } from '../renewal.ts'
import type { Deliverable } from './deliverable.ts'
import { type Making, makeCopy } from './make.ts'
import { CLAIM_MS, deliverableOf, isBeingMade, isEnding, isReady, type StoredDownload } from './prepared.ts'
import { asItIs } from './ready.ts'
import { claim, findDownload, goOn, keep, settle, supersede } from './records.ts'
import { removeDownload } from './remove.ts'
import { originalSource, renditionSource, type Source, type WantedOriginal } from './source.ts'

/** A file is not tried any more after so many makers of its copy crashed: it is delivered as it is. */
const MOST_CRASHES = 3
/** Milliseconds between two looks at what another one makes. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [5, 250]

/**
 * What is delivered for an original at the version that was read: a copy that carries the metadata of that version, where the file can carry
 * any. It is made unless it is ready. Of any number of processes one makes it, the others wait; when that one crashes, the next takes over.
 * @throws NotFound when the file is gone, and the errors of infrastructure
 */
export async function prepareDownload(library: Making, media: AvailableMedia, wanted: WantedOriginal = {}): Promise<Deliverable> {
  const source = originalSource(media, wanted)
  if (!source || isTooLarge(source)) return asItIs(media)
  return deliverableOf(await prepare(library, source), asItIs(media))
}

/** The same for a rendition. */
export async function prepareRendition(
  library: Making,
  media: AvailableMedia,
  rendition: Rendition,
): Promise<Pick<Deliverable, 'key' | 'metadataWritten'>> {
  const source = renditionSource(media, rendition)
  if (!source) return { key: rendition.key, metadataWritten: true }
  return deliverableOf(await prepare(library, source), { key: rendition.key })
}

/** The same, without making it. @returns 'being made' while somebody does, undefined while nobody does */
export async function readyOrBeingMade(library: Making, media: AvailableMedia): Promise<Deliverable | 'being made' | undefined> {
  const source = originalSource(media)
  if (!source || isTooLarge(source)) return asItIs(media)
  const { ready, isMaking } = await look(library, source)
  if (ready) return deliverableOf(ready, asItIs(media))
  return isMaking ? 'being made' : undefined
}

async function prepare(library: Making, source: Source): Promise<StoredDownload> {
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const { ready, isMaking, found } = await look(library, source)
    if (ready) return ready
    if (isMaking) {
      await sleep(pause)
      continue
    }
    const claimed = await claim(library, source, found)
    const made = claimed && (await make(library, source, claimed))
    if (made) return made
  }
}

/** What there is of a copy now. One that is ready is kept for as long as it is used. */
async function look(library: Making, source: Source) {
  for (;;) {
    const found = await findDownload(library, source)
    const now = library.clock.now()
    if (!found || !isReady(found, now)) return { found, isMaking: found !== undefined && isBeingMade(found, now) }
    if (!isEnding(found, now) || (await keep(library, found))) return { found, ready: found, isMaking: false }
  }
}

/** @returns undefined where another one took over meanwhile */
async function make(library: Making, source: Source, claimed: StoredDownload): Promise<StoredDownload | undefined> {
  const ready = await attempt(library, source, claimed)
  if (!ready) await library.media.delete([claimed.key])
  else if (ready.former.length > 0) await library.media.delete(ready.former)
  if (ready) await supersede(library, source.media.mediaId)
  return ready
}

async function attempt(library: Making, source: Source, claimed: StoredDownload): Promise<StoredDownload | undefined> {
  const { mediaId } = source.media
  try {
    // Who removes a file removes what is prepared of it by the records. So the file must be there after this record is.
    if (!(await getMedia(library, mediaId))) throw new NotFound('media')
    await using _ = renewing(CLAIM_MS, () => goOn(library, claimed))
    const copy = claimed.crashes < MOST_CRASHES ? await makeCopy(library, source, claimed.key) : undefined
    return await settle(library, claimed, copy)
  } catch (error) {
    // No fault of the file: the next who asks may try at once. Where even this fails the claim runs out.
    await removeDownload(library, claimed).catch(() => false)
    if (error instanceof ObjectMissing && !(await getMedia(library, mediaId))) throw new NotFound('media')
    throw error
  }
}
