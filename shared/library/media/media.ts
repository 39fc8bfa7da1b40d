import { type EditableValues, editableFields, entriesIn, type FieldsIn, fieldNames } from '../../vocabulary/editable-fields.ts'
import type { CompanyId, ContentsId, FolderId, LinkId, MediaId, StoredId, UserId } from '../../vocabulary/ids.ts'
import type { MediaKind } from '../../vocabulary/media-kind.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { ShownMedia } from '../../vocabulary/shown-media.ts'
import type { Actor, ShownActor } from '../actor.ts'
import type { Due } from '../due.ts'
import type { StoredPlacement } from './placement.ts'

/** A derived picture, as stored. */
export type Rendition = {
  /** Object in the `media` bucket. Sizes with the same pixels share one. */
  key: string
  mime: string
  width: number
  height: number
}

/** What a user may edit. */
export type EditableMetadata = EditableValues

/** The part of a file's record that may be edited. */
export function editable(media: EditableMetadata): EditableMetadata {
  return Object.fromEntries(
    fieldNames.filter((field) => media[field] !== undefined).map((field) => [field, media[field]]),
  ) as EditableMetadata
}

/** The editable fields that downloads carry. */
export type WrittenField = FieldsIn<'downloads'>
export const writtenFields: readonly WrittenField[] = entriesIn('downloads').map(({ field }) => field)

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
  /** Without dot; empty when unknown. */
  extension: string
  /** Unsigned; goes into zip archives. */
  crc32: number
  renditions: { [Size in RenditionSize]?: Rendition }
}

/** The current file of a media record, or one that becomes it. */
export type NextFile = FileFacts &
  KnownNumber &
  Required<Pick<MediaRecord, 'lastNumber'>> &
  Pick<MediaRecord, 'filename' | 'uploadKey' | 'versionBytes'>

/** A link to a file, in the CDN folder with these contents. */
export type MediaLink = { id: LinkId; contents: ContentsId; alias: string }

/**
 * What a number of a file says besides its facts. A media record says it of the current one. Of the first number of a file that was never replaced all of
 * it is absent.
 */
export type NumberedFile = FileNote & {
  /** Absent: 1. */
  fileNumber?: number
  /** Names the objects of its bytes; numbers with equal bytes share them. Absent: those of the first file. */
  stored?: StoredId
  /** Since when it is a file, in UNIX milliseconds. Absent: since the media record was made. */
  fileCreated?: number
  /** Who made it. Absent: the uploader of the media record. */
  fileBy?: UserId
}

/** The same of a number of which it is known. */
export type KnownNumber = NumberedFile & Required<Pick<NumberedFile, 'fileNumber' | 'fileCreated' | 'fileBy'>>

/** What users say of a number. Absent: nothing. */
export type FileNote = {
  comment?: string | undefined
  /** Kept for ever. */
  pinned?: boolean | undefined
}

/** A step of the version that changed an editable field, or the current file. */
export type Step = {
  /** Counts such steps of a file from 1. */
  count: number
  /** The version that it made. */
  version: number
  /** UNIX milliseconds */
  at: number
  by: ShownActor
}

/** A file in the library, from the finalizing of its upload. */
export type MediaRecord = Partial<FileFacts> &
  NumberedFile &
  Partial<Due> &
  EditableMetadata &
  StoredPlacement & {
    mediaId: MediaId
    companyId: CompanyId
    /** As sent, after the last `/` or `\`; NFC. */
    filename: string
    /** `NOBODY` of items of the stock catalogue. */
    uploadedBy: UserId
    /** Id of the share link through which it was uploaded. The link's maker counts as its uploader. */
    uploadedVia?: string
    /** Only for items of the stock catalogue: the operator's id of it. */
    stock?: string
    /** Only for files imported from another system: its id there. */
    sourceId?: string
    /** UNIX milliseconds of finalizing */
    created: number
    /** UNIX milliseconds of the last change of metadata */
    modified: number
    state: 'importing' | 'available'
    /** Percent, while importing. */
    progress: number
    /** Attempts at inspecting the file that have not ended: they crashed or still run. */
    attempts?: number
    /** The import failed at its last attempt and waits for an operator. */
    delayed?: boolean
    /** Object in the `uploads` bucket, until imported. Empty for stock items that never had a file. */
    uploadKey: string
    /** 1 after import; counts changes of file and metadata (the interface's version). */
    version: number
    /** Fields that an edit made empty. Downloads don't carry what the file itself says there. */
    emptied?: WrittenField[]
    /** The last step of its history. Absent until the first. */
    lastStep?: Step
    /** Counts every change, for optimistic locking and for the search index. */
    revision: number
    /** Position in the change feed (change-feed.ts), once imported. */
    feedKey?: string
    changedAt?: string
    /** Its links, one for every CDN folder with a full pointer to it. A replacement may add another in the same folder. */
    links?: MediaLink[]
    /** The highest number that one of its files was given. Absent: that of the current one. */
    lastNumber?: number
    /** Bytes that only numbers hold which aren't current. Absent: none. */
    versionBytes?: number
    /** When suggested keywords were asked for, in UNIX milliseconds. Absent where nothing is pending. */
    suggestionsWanted?: number
    /** When keywords were suggested, in UNIX milliseconds. */
    suggestedAt?: number
    /** Actor of the last revision. */
    by?: Actor
  }

/** An imported file. */
export type AvailableMedia = MediaRecord & FileFacts

/** A pointer: the file is in the folder with these contents. A pointer in a trashcan has a due time. */
export type PointerRecord = Partial<Due> & {
  mediaId: MediaId
  contents: ContentsId
  companyId: CompanyId
  /** Keys of the index `pointersByFolder`. */
  folderKey: string
  mediaKey: string
  /** Only in a trashcan: the former folder. Absent where unknown. */
  trashedFrom?: FolderId
  /** Who put it there. */
  by?: Actor
}

/** Remains of a removed file, kept for a time so that search indexes and others learn of its removal. */
export type Tombstone = {
  mediaId: MediaId
  companyId: CompanyId
  /** One above the file's last revision. */
  revision: number
  /** Absent where the import had not ended. */
  kind?: MediaKind
  /** Its last folders and version. Absent where it was never available. */
  folders?: ContentsId[]
  version?: number
  feedKey: string
  changedAt: string
  /** Who removed the file. */
  by?: Actor
  ttl: number
}

/** Whether an imported file has bytes. Items of the stock catalogue may have metadata alone. */
export const hasFile = ({ md5 }: Pick<FileFacts, 'md5'>): boolean => md5 !== undefined

export function isAvailable<Media extends MediaRecord>(media: Media): media is Media & AvailableMedia {
  return media.state === 'available'
}

type Described = EditableMetadata & Pick<MediaRecord, 'emptied'>

/**
 * The fields that an edit emptied. Fields that no edit ever set are not among them: the file's own metadata may fill those.
 * @param edited what the edit sets @returns undefined where no edit ever emptied a field
 */
export function emptiedAfter(media: Described, edited: Partial<EditableMetadata>): WrittenField[] | undefined {
  const before = new Set(media.emptied)
  const after = { ...media, ...edited }
  const emptied = writtenFields.filter((field) => isEmpty(after, field) && (field in edited || before.has(field)))
  return emptied.length > 0 || media.emptied ? emptied : undefined
}

/** The fields that an edit emptied, once some have their former values again: these are as they were then. */
export function emptiedBefore(
  media: Described,
  { restored, emptied = [] }: { restored: Partial<EditableMetadata>; emptied?: WrittenField[] | undefined },
): WrittenField[] {
  return writtenFields.filter((field) => (field in restored ? emptied : (media.emptied ?? [])).includes(field))
}

/** The part of a file's own metadata that fills fields which are empty and which no edit emptied. */
export function missingMetadata<Said extends Partial<EditableMetadata>>(media: Described, said: Said): Partial<Said> {
  const emptied: readonly string[] = media.emptied ?? []
  const isUnknown = (field: keyof EditableMetadata) =>
    // Of a point null is said, too.
    editableFields[field].is === 'point' ? media[field] === undefined : isEmpty(media, field) && !emptied.includes(field)
  return Object.fromEntries(Object.entries(said).filter(([field]) => isUnknown(field as keyof EditableMetadata))) as Partial<Said>
}

function isEmpty(metadata: EditableMetadata, field: keyof EditableMetadata): boolean {
  const value = metadata[field]
  if (typeof value !== 'object' || value === null) return !value
  return Object.values(value).every(({ length }: string | string[]) => length === 0)
}
