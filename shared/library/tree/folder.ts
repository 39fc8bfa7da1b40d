import type { Key, Operation } from '../../backends/table/port.ts'
import { type CompanyId, type ContentsId, type FolderId, type MediaId, toContentsId, type UserId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { type Due, NOT_DUE, trashDue } from '../due.ts'
import type { Right } from './rights.ts'

/** What a folder is for besides holding files; such folders are PERMANENT. */
export type SystemFolder = 'trash' | 'public' | 'cdn'

/** A folder as stored, in its company's partition. */
export type FolderRecord = Key & {
  folderId: FolderId
  companyId: CompanyId
  /** NFC, 1 to 255 characters. */
  name: string
  /** null for a root folder */
  parent: FolderId | null
  /** Contents id of the folder above when it was put there, where that isn't the folder's own id. */
  parentContents?: ContentsId
  /**
   * Files and folders in it refer to it by this id: its own id until it is purged. A purge gives it a fresh one and leaves the old one to a
   * deleted record, so that everything in it is gone in one write.
   */
  contents?: ContentsId
  /** UNIX milliseconds */
  created: number
  system?: SystemFolder
  /** First path segment of the links to what lies directly in it, of a CDN folder. */
  alias?: string
  /** User whose trashcan it is. */
  owner?: UserId
  /** Rights given to single users, by user id. They reach the whole subtree. */
  grants: { [userId: string]: Right[] }
  /** Folder tags: NFC, inherited by everything below. */
  tags: string[]
  /** Media id of the cover picture. */
  cover: MediaId | null
  /** Of a folder in a trashcan: where it was before, null at the root. Absent where that isn't known. */
  trashedFrom?: FolderId | null
  /** UNIX milliseconds of deletion: gone from every answer with all below it, while a job removes what it contains. */
  deleted?: number
  /** Who changed the record last. */
  by?: Actor
} & Partial<Due>

/** The id by which files and folders refer to the folder that contains them. */
export const contentsOf = (folder: Pick<FolderRecord, 'folderId' | 'contents'>): ContentsId =>
  folder.contents ?? toContentsId(folder.folderId)

/** The contents id on which a folder hangs; null for a root folder. */
export const hangsOn = (folder: Pick<FolderRecord, 'parent' | 'parentContents'>): ContentsId | null =>
  folder.parentContents ?? (folder.parent === null ? null : toContentsId(folder.parent))

export const companyPartition = (companyId: CompanyId): string => `COMPANY#${companyId}`
export const folderKey = (companyId: CompanyId, folderId: FolderId): Key => ({ pk: companyPartition(companyId), sk: `FOLDER#${folderId}` })

/** Shared by all folders that have none: records never change. */
const noGrants: FolderRecord['grants'] = {}
const noTags: string[] = []
Object.freeze(noGrants)
Object.freeze(noTags)

/** A folder of the company's own, as it is at first. */
export function newFolder(
  folderId: FolderId,
  given: Pick<FolderRecord, 'companyId' | 'name' | 'parent' | 'created'> & Partial<FolderRecord>,
): FolderRecord {
  const { companyId, name, parent, created, grants = noGrants, tags = noTags, cover = null, ...rare } = given
  const { pk, sk } = folderKey(companyId, folderId)
  // Fields that are named one by one take a fifth less memory than those that are spread.
  return { pk, sk, folderId, companyId, name, parent, created, grants, tags, cover, ...rare }
}

/**
 * Claims a folder's or contents id over all companies, and tells which company it belongs to. That of a contents id which isn't its folder's
 * own tells the folder, but for claims that an earlier version made.
 */
export type FolderClaim = Key & { companyId: CompanyId; contentsOf?: FolderId }
export const folderClaimKey = (id: FolderId | ContentsId): Key => ({ pk: `FOLDER#${id}`, sk: 'FOLDER' })

/** Claims an id for a company; fails when it is taken. @param folderId where it is a contents id: of which folder */
export const claimId = (companyId: CompanyId, id: FolderId | ContentsId, folderId?: FolderId): Operation => ({
  put: { ...folderClaimKey(id), companyId, contentsOf: folderId } satisfies FolderClaim,
  if: { pk: { exists: false } },
})

/**
 * When an entry is to be deleted that is put into a folder now: only those of a trashcan are.
 * @param container the folder; undefined for the root
 * @param id of the entry: media or folder id
 * @param now UNIX milliseconds
 */
export function dueIn(container: Pick<FolderRecord, 'system'> | undefined, id: MediaId | FolderId, now: number): Partial<Due> {
  return container?.system === 'trash' ? trashDue(id, now) : NOT_DUE
}
