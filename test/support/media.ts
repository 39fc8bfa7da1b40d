import type { Table } from '../../shared/backends/table/port.ts'
import type { Writing } from '../../shared/library/library.ts'
import { feedPosition } from '../../shared/library/media/change-feed.ts'
import { mediaKey, pointerIndexKey, pointerKey, type StoredMedia, type StoredPointer } from '../../shared/library/media/keys.ts'
import type { AvailableMedia, MediaRecord } from '../../shared/library/media/media.ts'
import { claimId, newFolder } from '../../shared/library/tree/folder.ts'
import { changeTree } from '../../shared/library/tree/tree-store.ts'
import { type ContentsId, type FolderId, toCompanyId, toContentsId, toFolderId, toMediaId, toUserId } from '../../shared/vocabulary/ids.ts'

/** Company of the files and folders of which a test says no other. Ids of different things differ, so that a mix-up shows. */
export const COMPANY = toCompanyId(101)
const UPLOADER = toUserId(301)
const CONTENTS = 201

/** What a test says of a file: its ids as plain numbers. */
type GivenMedia = Partial<Omit<AvailableMedia, 'mediaId' | 'companyId' | 'uploadedBy' | 'folders' | 'readOnlyIn'>> & {
  mediaId: number
  companyId?: number
  uploadedBy?: number
  folders?: readonly number[]
  readOnlyIn?: readonly number[]
}

/** Puts a file with its pointers straight into the table, as an import leaves it. */
export async function putMedia(table: Table, given: GivenMedia): Promise<StoredMedia> {
  const { mediaId, companyId = COMPANY, uploadedBy = UPLOADER, folders = [CONTENTS], readOnlyIn, ...others } = given
  const media: AvailableMedia & StoredMedia = {
    ...mediaKey(toMediaId(mediaId)),
    mediaId: toMediaId(mediaId),
    companyId: toCompanyId(companyId),
    uploadedBy: toUserId(uploadedBy),
    folders: folders.map(toContentsId),
    ...(readOnlyIn && { readOnlyIn: readOnlyIn.map(toContentsId) }),
    filename: 'file.jpg',
    created: 0,
    modified: 0,
    state: 'available',
    progress: 100,
    uploadKey: `upload/${mediaId}`,
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
    ...others,
  }
  await table.put({ ...media, ...feedPosition(media, media.modified) })
  for (const contents of media.folders) await table.put(pointerTo(media, contents))
  return media
}

/** A pointer as it is stored, in an ordinary folder. */
export function pointerTo({ mediaId, companyId }: Pick<MediaRecord, 'mediaId' | 'companyId'>, contents: ContentsId): StoredPointer {
  return { ...pointerKey(mediaId, contents), ...pointerIndexKey(mediaId, contents), mediaId, companyId, contents }
}

/** The folder that contains these contents, of those that `putFolders` makes. */
export const folderWith = (contents: number): FolderId => toFolderId(contents + 500)

/** Puts root folders with these contents straight into the company. They were purged before: no id of one is that of its contents. */
export async function putFolders(library: Writing, contents: readonly number[]): Promise<void> {
  const put = contents.map((each) => {
    const given = { companyId: COMPANY, name: `Folder ${each}`, parent: null, created: library.clock.now() }
    return newFolder(folderWith(each), { ...given, contents: toContentsId(each) })
  })
  const also = Object.fromEntries(put.map(({ folderId }) => [`claim ${folderId}`, claimId(COMPANY, folderId)]))
  await changeTree(library, COMPANY, () => ({ put, also }))
}
