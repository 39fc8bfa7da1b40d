import type { CompanyId, ContentsId, FolderId, LinkId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { MediaKind } from '../../vocabulary/media-kind.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { ShownMedia } from '../../vocabulary/shown-media.ts'
import type { Actor } from '../actor.ts'
import type { Due } from '../due.ts'
import type { StoredPlacement } from './placement.ts'

/** A derived picture, as stored. */
export type Rendition = {
  /** Object in the `media` bucket. Sizes whose pixels are the same share one. */
  key: string
  mime: string
  width: number
  height: number
  bytes: number
}

/** What a user may edit. */
export type EditableMetadata = Pick<
  ShownMedia,
  'title' | 'description' | 'keywords' | 'byline' | 'copyright' | 'expires' | 'editorial' | 'adultContent'
>

/** Of what a user may edit, what downloads carry. */
export const writtenFields = ['title', 'copyright', 'description', 'keywords'] as const
export type WrittenField = (typeof writtenFields)[number]

/** What import finds out about a file. */
export type FileFacts = Pick<
  ShownMedia,
  | 'kind'
  | 'mime'
  | 'md5'
  | 'bytes'
  | 'width'
  | 'height'
  | 'contentCredentials'
  | 'thumbhash'
  | 'video'
  | 'iptc'
  | 'geolocation'
  | 'cameraCreated'
  | 'suggestedKeywords'
> & {
  /** Without dot; empty when not known. */
  extension: string
  /** Unsigned; goes into zip archives. */
  crc32: number
  renditions: { [Size in RenditionSize]?: Rendition }
}

/** That a file is shown by a link of the CDN folder with these contents. */
export type MediaLink = { id: LinkId; contents: ContentsId; alias: string }

/** A file in the library, from the moment its upload was finalized. While it is imported, and while it waits for keywords, that is due. */
export type MediaRecord = Partial<FileFacts> &
  Partial<Due> &
  EditableMetadata &
  StoredPlacement & {
    mediaId: MediaId
    companyId: CompanyId
    /** As sent, after the last `/` or `\`; NFC. */
    filename: string
    /** `NOBODY` of items of the stock catalogue. */
    uploadedBy: UserId
    /** Id of the share link by which it was sent; then the link's maker counts as its uploader. */
    uploadedVia?: string
    /** Of items of the stock catalogue: the id by which the operator imports it. */
    stock?: string
    /** Of a file that the operator imported from another system: its id there. */
    sourceId?: string
    /** UNIX milliseconds of finalizing */
    created: number
    /** UNIX milliseconds of the last change of metadata */
    modified: number
    state: 'importing' | 'available'
    /** Percent, while importing. */
    progress: number
    /** Attempts at inspecting the file that have begun and not ended: those that crashed, and those that run. */
    attempts?: number
    /** Import failed again and again and waits for an operator. */
    delayed?: boolean
    /** Object in the `uploads` bucket, until imported. Empty of an item of the stock catalogue that never had a file. */
    uploadKey: string
    /** 1 after import; counts changes of file and metadata (the interface's version). */
    version: number
    /** Fields that an edit made empty. Downloads don't carry what the file itself says there. */
    emptied?: WrittenField[]
    /** Counts every change, for optimistic locking and for the search index. */
    revision: number
    /** Its position in the change feed (change-feed.ts), once imported. */
    feedKey?: string
    changedAt?: string
    /** Its links: of every CDN folder that holds it by a full pointer. Two in one folder where a replacement brought another along. */
    links?: MediaLink[]
    /** Since when keywords are to be suggested for its picture, in UNIX milliseconds. Absent where nobody waits for that. */
    suggestionsWanted?: number
    /** When they were, in UNIX milliseconds. */
    suggestedAt?: number
    /** Who made the change that `revision` counted last. */
    by?: Actor
  }

/** An imported file. */
export type AvailableMedia = MediaRecord & FileFacts

/** A pointer: the file is in the folder that has these contents. In a trashcan it is due to be deleted. */
export type PointerRecord = Partial<Due> & {
  mediaId: MediaId
  contents: ContentsId
  companyId: CompanyId
  /** Keys of the index `pointersByFolder`. */
  folderKey: string
  mediaKey: string
  /** Of a pointer in a trashcan: the folder that it was in before. Absent where that isn't known. */
  trashedFrom?: FolderId
  /** Who put it there. */
  by?: Actor
}

/** What remains of a removed file for a time, so that search indexes and others learn of its removal. */
export type Tombstone = {
  mediaId: MediaId
  companyId: CompanyId
  /** Follows the last one of the file. */
  revision: number
  /** Object in the `uploads` bucket that an import may not have consumed yet. Absent in records of earlier versions. */
  uploadKey?: string
  /** Absent where the import had not ended, and in records of earlier versions. */
  kind?: MediaKind
  /** What held it, and its version. Absent where nobody ever saw it available, and in records of earlier versions. */
  folders?: ContentsId[]
  version?: number
  feedKey: string
  changedAt: string
  /** Who removed the file. */
  by?: Actor
  ttl: number
}

/** Keys of all renditions in the `media` bucket, for policies. */
export const RENDITIONS = '*/renditions/*'

/** Where a file's objects are in the `media` bucket. */
export const objectKeys = {
  prefix: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/`,
  original: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/original`,
  tags: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/tags.json`,
  /** @param owner makes the key its maker's alone: nobody overwrites what another one stored */
  download: (media: { companyId: CompanyId; mediaId: MediaId }, name: string, owner: string) =>
    `${objectKeys.downloads(media)}${name}.${owner}`,
  downloads: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/downloads/`,
  renditions: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/renditions/`,
  /** Named by its pixels: sizes that are no smaller than the original share one. */
  rendition: (media: { companyId: CompanyId; mediaId: MediaId }, { width, height }: { width: number; height: number }) =>
    `${media.companyId}/${media.mediaId}/renditions/${width}x${height}`,
}

/** Whether there are bytes of an imported file: of an item of the stock catalogue there may be metadata alone. */
export const hasFile = ({ md5 }: Pick<FileFacts, 'md5'>): boolean => Boolean(md5)

export function isAvailable<Media extends MediaRecord>(media: Media): media is Media & AvailableMedia {
  return media.state === 'available'
}
