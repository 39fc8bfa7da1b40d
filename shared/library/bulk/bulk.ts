import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, ContentsId, FolderId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { UserActor } from '../actor.ts'
import type { Reading } from '../library.ts'
import type { EditableMetadata, WrittenField } from '../media/media.ts'
import type { PointerKind } from '../media/placement.ts'

/** Most files of one bulk change, by ids and by a search. */
export const MAX_BULK_IDS = 10_000
export const MAX_BULK_FOUND = 100_000
/** Refused files that are told one by one. */
export const MAX_TOLD_REFUSALS = 1_000

/** What is done with the keywords of a language. `replace` goes alone. */
export type KeywordChange = { add?: string[]; remove?: string[]; replace?: string[] }

/** What is done with the folders of each file: one of these. */
export type FolderChange =
  | { kind: 'add'; to: FolderId }
  | { kind: 'move'; from: FolderId; to: FolderId }
  | { kind: 'trash'; from: FolderId }

/** What happens to each file. What is absent stays. */
export type BulkChange = {
  /** By language; null clears one. Languages that are not named stay. */
  title?: { [language: string]: string | null }
  description?: { [language: string]: string | null }
  /** By language. */
  keywords?: { [language: string]: KeywordChange }
  byline?: string | null
  copyright?: string | null
  expires?: string | null
  editorial?: boolean
  folders?: FolderChange
}

/** A bulk change, and how far its job is. */
export type BulkRecord = Key & {
  /** 128 random bits, base64url. */
  bulkId: string
  /** The own company of who asked: its admins see the job. */
  companyId: CompanyId
  userId: UserId
  /** Absent of an undo. */
  change?: BulkChange
  /** The bulk change that this one undoes. */
  undoes?: string
  /** The bulk change that undoes this one. */
  undoneBy?: string
  state: 'PENDING' | 'DONE' | 'FAILED'
  /** Files in the list: that of the bulk change that it undoes, of an undo. */
  listed: number
  /** Files in all; of an undo those that were changed. */
  total: number
  changed: number
  unchanged: number
  refused: number
  /** UNIX milliseconds */
  asked: number
  /** UNIX milliseconds. Absent while it is PENDING. */
  ended?: number
  /** Who makes the changes. */
  by: UserActor
  ttl: number
}

/** Why a file was not changed. */
export type Refusal = { mediaId: MediaId; code: string }

/** The first refused files. */
export type RefusalsRecord = Key & { refusals: Refusal[]; ttl: number }

/** Some of the files, in their order. */
export type FilesRecord = Key & { mediaIds: MediaId[]; ttl: number }

/** What was of a file before it was changed: written together with its change. */
export type ChangedRecord = Key & {
  /** Of the fields that changed. */
  before?: Partial<EditableMetadata>
  /** Of the fields that changed: digests of what they were changed to. */
  after?: { [field: string]: string }
  emptied?: WrittenField[]
  placed?: PlacedBefore
  ttl: number
}

/** How the pointers of a file were. */
export type PlacedBefore = {
  /** The folder that the file left; absent where it was added to another one. */
  from?: FolderId
  to: FolderId
  /** By which the file is in it now, and was before. */
  contents: ContentsId
  kind: PointerKind
  was?: PointerKind
}

/** Files of one item. */
export const FILES_IN_ITEM = 5_000
/** Seconds for which a bulk change can be undone after its end. */
export const UNDO_SECONDS = 86_400
/** Its records disappear after so many seconds: jobs end within hours. */
export const KEPT_SECONDS = 7 * 86_400

const partition = (bulkId: string): string => `BULK#${bulkId}`
export const bulkKey = (bulkId: string): Key => ({ pk: partition(bulkId), sk: 'BULK' })
export const refusalsKey = (bulkId: string): Key => ({ pk: partition(bulkId), sk: 'REFUSALS' })
export const filesKey = (bulkId: string, n: number): Key => ({ pk: partition(bulkId), sk: `FILES#${n}` })
export const changedKey = (bulkId: string, mediaId: MediaId): Key => ({ pk: partition(bulkId), sk: `CHANGED#${mediaId}` })

export async function findBulk({ table }: Reading, bulkId: string): Promise<BulkRecord | undefined> {
  return table.get<BulkRecord>(bulkKey(bulkId))
}

/** Until when it can be undone, in UNIX milliseconds. Undefined while it runs, and for undos, which can't be undone. */
export function undoUntil({ ended, undoes }: BulkRecord): number | undefined {
  return ended === undefined || undoes !== undefined ? undefined : ended + UNDO_SECONDS * 1000
}
