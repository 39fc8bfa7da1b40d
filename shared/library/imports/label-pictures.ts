import { buffer } from 'node:stream/consumers'
import { ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import { labelPicture } from '../../tools/imaging/label-picture.ts'
import type { PictureLabels } from '../../tools/imaging/picture-labels.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { digestOf, labelsOf } from '../links/labels.ts'
import { getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { removeObjects } from '../media/objects.ts'
import { removeUnused } from '../media/unused.ts'
import { videoObjects } from '../videos/objects.ts'
import { getVideo, previewOf } from '../videos/video.ts'

/** The resources of the labelling of pictures. */
export interface Labelling {
  table: TableReader
  media: Objects
}

/** Files at a time, and pictures of a file. One picture has a few MB at most. */
const [FILES_AT_ONCE, PICTURES_AT_ONCE] = [4, 3]

/**
 * Has the stored pictures of files say what the library knows now: the renditions of a picture, the poster of a video. Pictures that say it already
 * are only read. Idempotent; safe to run concurrently and to crash: each run ends with the record as it is then.
 * @throws AggregateError after all others are done
 */
export async function labelPictures(library: Labelling, companyId: CompanyId, mediaIds: readonly MediaId[]): Promise<void> {
  const failures: unknown[] = []
  await inParallel(mediaIds, FILES_AT_ONCE, async (mediaId) => {
    await labelFile(library, companyId, mediaId).catch((error: unknown) => failures.push(error))
  })
  if (failures.length > 0)
    throw new AggregateError(failures, `the pictures of ${failures.length} of ${mediaIds.length} files got no labels`)
}

/** Labels the pictures of one file, again where it has changed meanwhile. */
export async function labelFile(library: Labelling, companyId: CompanyId, mediaId: MediaId): Promise<void> {
  for (let written: string | undefined, former: AvailableMedia | undefined; ; ) {
    const media = await getMedia(library, mediaId)
    // Its removal may have been before the last picture was stored, by this run or one that crashed.
    if (!media) return removeObjects(library, { companyId, mediaId })
    if (former && former.stored !== media.stored) await removeUnused(library, former)
    // The end of an import labels what it renders.
    if (!isAvailable(media) || media.revision === former?.revision) return
    const [labels, keys] = await Promise.all([labelsOf(library.media, media), picturesOf(library, media)])
    const wanted = digestOf([labels, keys])
    if (wanted === written) return
    await inParallel(keys, PICTURES_AT_ONCE, (key) => labelObject(library, key, labels))
    ;[written, former] = [wanted, media]
  }
}

/** The keys of a file's pictures. */
async function picturesOf(library: Labelling, media: AvailableMedia): Promise<string[]> {
  if (media.kind === 'video') return postersOf(library, media)
  return [...new Set(Object.values(media.renditions).map(({ key }) => key))]
}

async function postersOf({ table }: Labelling, media: AvailableMedia): Promise<string[]> {
  const preview = previewOf(await getVideo({ table }, media.mediaId), media)
  return preview?.hasPoster ? [videoObjects.poster(media, preview.encodingId)] : []
}

/** Replaces an object by the same picture with these labels. Does nothing where it is gone. */
async function labelObject({ media }: Labelling, key: string, labels: PictureLabels): Promise<void> {
  try {
    const { stream, contentType } = await media.get(key)
    const picture = await buffer(stream)
    const labelled = labelPicture(picture, labels)
    if (labelled && !labelled.equals(picture)) await media.put(key, labelled, { contentType })
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
  }
}
