import type { Clock } from '../../shared/backends/clock/port.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import { feedPosition } from '../../shared/library/media/change-feed.ts'
import { mediaKey, pointerIndexKey, pointerKey, type StoredMedia, type StoredPointer } from '../../shared/library/media/keys.ts'
import type { AvailableMedia, MediaRecord } from '../../shared/library/media/media.ts'
import { claimId, newFolder } from '../../shared/library/tree/folder.ts'
import { changeTree } from '../../shared/library/tree/tree-store.ts'

/** Puts a file with its pointers straight into the table, as an import leaves it. */
export async function putMedia(table: Table, given: Partial<AvailableMedia> & { mediaId: number }): Promise<StoredMedia> {
  const media: AvailableMedia & StoredMedia = {
    ...mediaKey(given.mediaId),
    companyId: 1,
    filename: 'file.jpg',
    uploadedBy: 1,
    created: 0,
    modified: 0,
    state: 'available',
    progress: 100,
    uploadKey: `upload/${given.mediaId}`,
    folders: [1],
    version: 1,
    revision: 1,
    title: {},
    description: {},
    keywords: {},
    byline: null,
    copyright: null,
    expires: null,
    editorial: false,
    adultContent: false,
    kind: 'image',
    mime: 'image/jpeg',
    extension: 'jpg',
    md5: '0'.repeat(32),
    crc32: 0,
    bytes: 1,
    width: 1,
    height: 1,
    iptc: null,
    geolocation: null,
    cameraCreated: null,
    suggestedKeywords: [],
    renditions: {},
    ...given,
  }
  await table.put({ ...media, ...feedPosition(media, media.modified) })
  for (const contents of media.folders) await table.put(pointerTo(media, contents))
  return media
}

/** A pointer as it is stored, in an ordinary folder. */
export function pointerTo({ mediaId, companyId }: Pick<MediaRecord, 'mediaId' | 'companyId'>, contents: number): StoredPointer {
  return { ...pointerKey(mediaId, contents), ...pointerIndexKey(mediaId, contents), mediaId, companyId, contents }
}

/** Puts root folders with these ids straight into company 1. */
export async function putFolders(table: Table, clock: Clock, folderIds: readonly number[]): Promise<void> {
  const folder = (folderId: number) => newFolder(folderId, { companyId: 1, name: `Folder ${folderId}`, parent: null, created: clock.now() })
  const also = Object.fromEntries(folderIds.map((id) => [`claim ${id}`, claimId(1, id)]))
  await changeTree(table, clock, 1, () => ({ put: folderIds.map(folder), also }))
}
