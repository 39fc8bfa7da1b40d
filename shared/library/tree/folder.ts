import type { Key, Operation } from '../../backends/table/port.ts'
import { type Due, jobDue, NOT_DUE, trashDue } from '../due.ts'
import type { Right } from './rights.ts'

/** What a folder is for besides holding files; such folders are PERMANENT. */
export type SystemFolder = 'trash' | 'public' | 'cdn'

/** A folder as stored, in its company's partition. */
export type FolderRecord = Key & {
  folderId: number
  companyId: number
  /** NFC, 1 to 255 characters. */
  name: string
  /** null for a root folder */
  parent: number | null
  /** Contents id of the folder above when it was put there, where that isn't the folder's own id. */
  parentContents?: number
  /**
   * What it holds, files and folders, refers to it by this id: its own until it is purged. A purge gives it a fresh one and leaves the old
   * one to a deleted record, so that all it held is gone in one write.
   */
  contents?: number
  /** UNIX milliseconds */
  created: number
  system?: SystemFolder
  /** User whose trashcan it is. */
  owner?: number
  /** Rights given to single users, by user id. They reach the whole subtree. */
  grants: { [userId: string]: Right[] }
  /** Folder tags: NFC, inherited by everything below. */
  tags: string[]
  /** Media id of the cover picture. */
  cover: number | null
  /** UNIX milliseconds of deletion: gone from every answer with all below it, while a job removes what it held. */
  deleted?: number
} & Partial<Due>

/** The id by which files and folders refer to the folder that holds them. */
export const contentsOf = (folder: Pick<FolderRecord, 'folderId' | 'contents'>): number => folder.contents ?? folder.folderId

/** The contents id on which a folder hangs; null for a root folder. */
export const hangsOn = (folder: Pick<FolderRecord, 'parent' | 'parentContents'>): number | null => folder.parentContents ?? folder.parent

export const companyPartition = (companyId: number): string => `COMPANY#${companyId}`
export const folderKey = (companyId: number, folderId: number): Key => ({ pk: companyPartition(companyId), sk: `FOLDER#${folderId}` })
/** A folder of the company's own, as it is at first. */
export function newFolder(
  folderId: number,
  { companyId, ...given }: Pick<FolderRecord, 'companyId' | 'name' | 'parent' | 'created'> & Partial<FolderRecord>,
): FolderRecord {
  return { ...folderKey(companyId, folderId), folderId, companyId, grants: {}, tags: [], cover: null, ...given }
}

/** Claims a folder's or contents id over all companies, and tells which company it belongs to. */
export const folderClaimKey = (folderId: number): Key => ({ pk: `FOLDER#${folderId}`, sk: 'FOLDER' })

/** Claims an id for a company; fails when it is taken. */
export const claimId = (companyId: number, id: number): Operation => ({
  put: { ...folderClaimKey(id), companyId },
  if: { pk: { exists: false } },
})

/** The record of a folder that is deleted now: all that is due of it is its removal. @param now UNIX milliseconds */
export const deletedNow = (folder: FolderRecord, now: number): FolderRecord => ({
  ...folder,
  ...jobDue(folder.folderId, now),
  deleted: now,
})

/**
 * When an entry is to be deleted that is put into a folder now: only those of a trashcan are.
 * @param holder undefined for the root
 * @param id of the entry: media or folder id
 * @param now UNIX milliseconds
 */
export function dueIn(holder: Pick<FolderRecord, 'system'> | undefined, id: number, now: number): Partial<Due> {
  return holder?.system === 'trash' ? trashDue(id, now) : NOT_DUE
}
