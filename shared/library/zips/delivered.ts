import { ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import { digestOf } from '../../tools/digest.ts'
import { readyDeliverables, readyRenditions } from '../downloads/copies.ts'
import type { Reading, Writing } from '../library.ts'
import { previewName, sizedName } from '../media/delivery.ts'
import type { AvailableMedia } from '../media/media.ts'
import { PREVIEW } from '../shares/share.ts'
import { videoObjects } from '../videos/objects.ts'
import { isPending, previewOf, type StoredVideo, videoKey } from '../videos/video.ts'
import type { Stored } from './entries.ts'
import { isOfPreviews, type ZipRecord } from './zip.ts'

/** A file in a zip: the same as the requester's download of it. */
export interface Delivered {
  media: AvailableMedia
  /** The name of that download. */
  filename: string
  /** Absent until it is made and its checksum is known. */
  stored?: Stored
  /** Key of an existing object with unknown checksum. */
  undigested?: string
}

type Looking = Reading & Pick<Writing, 'clock'>

/** Files of a zip, in the given order, without those that its requester can't download. Read-only. */
export async function deliveredOf(
  library: Looking,
  zip: Pick<ZipRecord, 'requester'>,
  media: readonly AvailableMedia[],
): Promise<Delivered[]> {
  if (isOfPreviews(zip)) return previewsOf(library, media)
  const deliverables = await readyDeliverables(library, media)
  return media.map((each, index) => {
    const stored = deliverables[index]
    return { media: each, filename: each.filename, ...(stored && { stored }) }
  })
}

/** Pictures in the size of previews, and previews of videos. */
async function previewsOf(library: Looking, media: readonly AvailableMedia[]): Promise<Delivered[]> {
  const [pictures, films] = await Promise.all([picturesOf(library, media), filmsOf(library, media)])
  return media.flatMap(({ mediaId }) => pictures.get(mediaId) ?? films.get(mediaId) ?? [])
}

async function picturesOf(library: Looking, media: readonly AvailableMedia[]): Promise<Map<number, Delivered>> {
  const wanted = media.flatMap((each) => {
    const rendition = each.renditions[PREVIEW]
    return rendition ? [{ media: each, rendition }] : []
  })
  const ready = await readyRenditions(library, wanted)
  return new Map(
    wanted.map(({ media: each, rendition }, index) => {
      const named = { media: each, filename: sizedName(each, PREVIEW, rendition) }
      const found = ready[index]
      if (!found) return [each.mediaId, named]
      return [each.mediaId, 'crc32' in found ? { ...named, stored: found } : { ...named, undigested: found.key }]
    }),
  )
}

async function filmsOf({ table }: Looking, media: readonly AvailableMedia[]): Promise<Map<number, Delivered>> {
  const films = media.filter(({ kind }) => kind === 'video')
  const videos = await table.getMany<StoredVideo>(films.map(({ mediaId }) => videoKey(mediaId)))
  const records = new Map(videos.map((video) => [video.mediaId, video]))
  return new Map(
    films.flatMap((film): [number, Delivered][] => {
      const preview = previewOf(records.get(film.mediaId), film)
      if (preview?.state === 'failed') return []
      const named = { media: film, filename: previewName(film) }
      const isMade = preview && !isPending(preview)
      return [[film.mediaId, isMade ? { ...named, undigested: videoObjects.preview(film, preview.encodingId) } : named]]
    }),
  )
}

/** Reads an object for its checksum. @returns undefined if it is gone */
export async function digested({ media }: { media: Pick<Objects, 'get'> }, key: string): Promise<Stored | undefined> {
  try {
    const { stream, etag } = await media.get(key)
    const { bytes, crc32 } = await digestOf(stream)
    return { key, etag, bytes, crc32 }
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}
