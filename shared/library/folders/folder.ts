import type { Key } from '../../backends/table/port.ts'
import type { Right } from '../access/rights.ts'

/** What a folder is for besides holding files; such folders are PERMANENT (decision 16). */
export type SystemFolder = 'trash' | 'public' | 'cdn'

/** A folder as stored, in its company's partition. */
export type FolderRecord = Key & {
  folderId: number
  companyId: number
  /** NFC, 1 to 255 characters. */
  name: string
  /** null for a root folder */
  parent: number | null
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
}

export const companyPartition = (companyId: number): string => `COMPANY#${companyId}`
export const folderKey = (companyId: number, folderId: number): Key => ({ pk: companyPartition(companyId), sk: `FOLDER#${folderId}` })
/** Claims the id over all companies, and tells which company the folder belongs to. */
export const folderClaimKey = (folderId: number): Key => ({ pk: `FOLDER#${folderId}`, sk: 'FOLDER' })
