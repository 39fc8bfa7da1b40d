import type { SearchDocument } from '../../shared/backends/search/port.ts'
import type { Item, Table } from '../../shared/backends/table/port.ts'
import { feedPosition } from '../../shared/library/media/change-feed.ts'
import { mediaKey } from '../../shared/library/media/keys.ts'
import type { AvailableMedia, FileFacts, MediaRecord, Rendition } from '../../shared/library/media/media.ts'
import { objectKeys } from '../../shared/library/media/objects.ts'
import { type CountedMedia, usageChanges } from '../../shared/library/usage/usage.ts'
import { type CompanyId, toCompanyId, toContentsId, toMediaId, type UserId } from '../../shared/vocabulary/ids.ts'
import { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import type { VideoFacts } from '../../shared/vocabulary/video.ts'
import { pointerTo } from '../support/media.ts'
import { puts } from '../support/puts.ts'

const OPERATIONS_AT_ONCE = 100

/** What imports find out of pictures and films. The server looks for files that lack it, which others would measure. */
const THUMBHASH = 'm5uDBQAQuYeKh3l4h4eIeId3h5eHeHd4'
const FILM: VideoFacts = { seconds: 60, frameRate: 25, videoCodec: 'h264', audioCodec: null, hasAudio: false, isHdr: false }

/** A file to make, with what its import found out, or who described it said, where that matters. */
export type WantedFile = SearchDocument & { facts?: Partial<FileFacts & Pick<MediaRecord, 'title' | 'description' | 'keywords' | 'stock'>> }

/** Puts files with their pointers straight into the table, as imports leave them, many in one transaction. */
export async function putFiles(table: Table, owner: { companyId: CompanyId; userId: UserId }, files: Iterable<WantedFile>): Promise<void> {
  let waiting: Item[] = []
  const counted: CountedMedia[] = []
  for (const file of files) {
    const media = importedMedia(owner, file)
    const items = itemsOf(media)
    counted.push({ mediaId: media.mediaId, companyId: media.companyId, uploadedBy: media.uploadedBy, bytes: media.bytes })
    if (waiting.length + items.length > OPERATIONS_AT_ONCE) {
      await table.transact(puts(waiting))
      waiting = []
    }
    waiting.push(...items)
  }
  if (waiting.length > 0) await table.transact(puts(waiting))
  if (counted.length > 0) await table.transact(usageChanges(counted, 1))
}

function itemsOf(media: AvailableMedia): Item[] {
  const pointers = media.folders.map((contents) => pointerTo(media, contents))
  return [{ ...mediaKey(media.mediaId), ...media, ...feedPosition(media, media.modified) }, ...pointers]
}

function importedMedia({ companyId, userId }: { companyId: CompanyId; userId: UserId }, file: WantedFile): AvailableMedia {
  const { mediaId: id, folders, title, description, keywords, cameraCreated, latitude, longitude, facts, ...same } = file
  const mediaId = toMediaId(id)
  return {
    ...same,
    folders: folders.map(toContentsId),
    mediaId,
    companyId,
    uploadedBy: userId,
    state: 'available',
    progress: 100,
    uploadKey: `upload/${mediaId}`,
    version: 1,
    title: { en: title[0] ?? '' },
    description: { en: description[0] ?? '' },
    keywords: { en: keywords },
    editorial: false,
    adultContent: false,
    ...(file.kind === 'video' ? { mime: 'video/mp4', extension: 'mp4', video: FILM } : { mime: 'image/jpeg', extension: 'jpg' }),
    thumbhash: THUMBHASH,
    md5: '0'.repeat(32),
    crc32: 0,
    iptc: null,
    geolocation: latitude === null || longitude === null ? null : { source: 'exif', latitude: `${latitude}`, longitude: `${longitude}` },
    cameraCreated: cameraCreated === null ? null : Math.floor(cameraCreated / 1000),
    renditions: file.kind === 'image' ? renditions(companyId, mediaId) : {},
    ...facts,
  }
}

function renditions(companyId: number, mediaId: number): AvailableMedia['renditions'] {
  const made = renditionSizes.map((size): [string, Rendition] => {
    const width = Number.parseInt(size, 10)
    const height = Math.round(width / 1.5)
    const key = objectKeys.rendition({ companyId: toCompanyId(companyId), mediaId: toMediaId(mediaId) }, { width, height })
    return [size, { key, mime: 'image/jpeg', width, height }]
  })
  return Object.fromEntries(made)
}
