import type { Key } from '../../backends/table/port.ts'
import type { FieldsIn, KindOf } from '../../vocabulary/editable-fields.ts'
import type { FieldValues } from '../../vocabulary/field-values.ts'
import type { CompanyId, ContentsId, FolderId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { UserActor } from '../actor.ts'
import type { Reading } from '../library.ts'
import type { EditableMetadata, WrittenField } from '../media/media.ts'
import type { PointerKind } from '../media/placement.ts'

/** Most files of one bulk change, by ids and by a search. */
export const MAX_BULK_IDS = 10_000
export const MAX_BULK_FOUND = 100_000
/** Most refused files that are listed by id. */
export const MAX_LISTED_REFUSALS = 1_000

/** Change of a language's keywords. `replace` excludes the others. */
export type KeywordChange = { add?: string[]; remove?: string[]; replace?: string[] }

/** Change of each file's folders: one of these. */
export type FolderChange =
  | { kind: 'add'; to: FolderId }
  | { kind: 'move'; from: FolderId; to: FolderId }
  | { kind: 'trash'; from: FolderId }

/** Changes of fields by their kinds. Absent languages stay. */
export type FieldChanges = Omit<FieldValues, 'texts' | 'keywords'> & {
  /** null clears a language. */
  texts: { [language: string]: string | null }
  keywords: { [language: string]: KeywordChange }
}

/** Change of each file. Absent fields stay. */
export type BulkChange = { [Field in FieldsIn<'bulk'>]?: FieldChanges[KindOf<Field>] } & { folders?: FolderChange }

/** A bulk change, with the progress of its job. */
export type BulkRecord = Key & {
  /** 128 random bits, base64url. */
  bulkId: string
  /** The requester's own company, whose admins see the job. */
  companyId: CompanyId
  userId: UserId
  /** Absent for an undo. */
  change?: BulkChange
  /** The bulk change that this one undoes. */
  undoes?: string
  /** The bulk change that undoes this one. */
  undoneBy?: string
  state: 'PENDING' | 'DONE' | 'FAILED'
  /** Listed files; for an undo those of the undone change. */
  listed: number
  /** All files; for an undo those that were changed. */
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

/** Record of the first refused files. */
export type RefusalsRecord = Key & { refusals: Refusal[]; ttl: number }

/** Record of some of the files, in order. */
export type FilesRecord = Key & { mediaIds: MediaId[]; ttl: number }

/** A file's state before its change. Written in the same transaction. */
export type ChangedRecord = Key & {
  /** Values of the changed fields before. */
  before?: Partial<EditableMetadata>
  /** Digests of their values after. */
  after?: { [field: string]: string }
  emptied?: WrittenField[]
  placed?: PlacedBefore
  ttl: number
}

/** A file's pointers before its change. */
export type PlacedBefore = {
  /** The folder that the file left; absent for copies. */
  from?: FolderId
  to: FolderId
  /** Kind of the pointer in `to` after the change, and before it (`was`). */
  contents: ContentsId
  kind: PointerKind
  was?: PointerKind
}

/** Files per item. */
export const FILES_IN_ITEM = 5_000
/** Seconds after its end in which a bulk change can be undone. */
export const UNDO_SECONDS = 86_400
/** Lifetime of its records in seconds. Jobs end within hours. */
export const KEPT_SECONDS = 7 * 86_400

const partition = (bulkId: string): string => `BULK#${bulkId}`
export const bulkKey = (bulkId: string): Key => ({ pk: partition(bulkId), sk: 'BULK' })
export const refusalsKey = (bulkId: string): Key => ({ pk: partition(bulkId), sk: 'REFUSALS' })
export const filesKey = (bulkId: string, n: number): Key => ({ pk: partition(bulkId), sk: `FILES#${n}` })
export const changedKey = (bulkId: string, mediaId: MediaId): Key => ({ pk: partition(bulkId), sk: `CHANGED#${mediaId}` })

export async function findBulk({ table }: Reading, bulkId: string): Promise<BulkRecord | undefined> {
  return table.get<BulkRecord>(bulkKey(bulkId))
}

/** Latest undo, in UNIX milliseconds. Undefined while it runs, and for undos, which can't be undone. */
export function undoUntil({ ended, undoes }: BulkRecord): number | undefined {
  return ended === undefined || undoes !== undefined ? undefined : ended + UNDO_SECONDS * 1000
}
