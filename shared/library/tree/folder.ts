import type { Key, Operation } from '../../backends/table/port.ts'
import { type CompanyId, type ContentsId, type FolderId, type MediaId, toContentsId, type UserId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { type Due, NOT_DUE } from '../due.ts'
import { trashDue } from './trash.ts'

/** The purposes of folders besides holding files; such folders are PERMANENT. */
type SystemFolder = 'trash' | 'public' | 'cdn'

/** A folder as stored, in its company's partition. */
export type FolderRecord = Key & {
  folderId: FolderId
  companyId: CompanyId
  /** NFC, 1 to 255 characters. */
  name: string
  /** null for a root folder */
  parent: FolderId | null
  /** Contents id of the parent at the time of the move, where it isn't the parent's own id. */
  parentContents?: ContentsId
  /**
   * Contents id, by which files and subfolders refer to the folder: its own id until a purge. A purge gives it a fresh one and leaves the
   * old one to a deleted record. So one write deletes everything in it.
   */
  contents?: ContentsId
  /** UNIX milliseconds */
  created: number
  system?: SystemFolder
  /** First path segment of the links of a CDN folder. */
  alias?: string
  /** Whether the links of a CDN folder show transformed pictures by presets alone. */
  presetsOnly?: boolean
  /** User whose trashcan it is. */
  owner?: UserId
  /** Grants by user id. They hold for the whole subtree. */
  grants: { [userId: string]: Right[] }
  /** At the root: the grants that its mover inherited before. In a trashcan: the rights that the mover gets by a restore to the root. */
  carried?: CarriedRights | undefined
  /** Folder tags: NFC, inherited by everything below. */
  tags: string[]
  /** Media id of the cover picture. */
  cover: MediaId | null
  /** Former parent of a folder in a trashcan, null for the root. Absent where unknown. */
  trashedFrom?: FolderId | null
  /** Time of deletion, in UNIX milliseconds. No response contains the subtree, while a job removes its contents. */
  deleted?: number
  /** Actor of the last change. */
  by?: Actor
} & Partial<Due>

/** Rights that a user inherited on a folder before they moved it to where it inherits none. */
export type CarriedRights = { userId: UserId; rights: Right[] }

/** The id by which files and folders refer to the folder that contains them. */
export const contentsOf = (folder: Pick<FolderRecord, 'folderId' | 'contents'>): ContentsId =>
  folder.contents ?? toContentsId(folder.folderId)

/** The contents id of a folder's parent; null for a root folder. */
export const parentContentsId = (folder: Pick<FolderRecord, 'parent' | 'parentContents'>): ContentsId | null =>
  folder.parentContents ?? (folder.parent === null ? null : toContentsId(folder.parent))

export const companyPartition = (companyId: CompanyId): string => `COMPANY#${companyId}`
export const folderKey = (companyId: CompanyId, folderId: FolderId): Key => ({ pk: companyPartition(companyId), sk: `FOLDER#${folderId}` })

/** One object for all folders without grants: records are immutable. */
const noGrants: FolderRecord['grants'] = {}
const noTags: string[] = []
Object.freeze(noGrants)
Object.freeze(noTags)

/** A new ordinary folder of a company. */
export function newFolder(
  folderId: FolderId,
  given: Pick<FolderRecord, 'companyId' | 'name' | 'parent' | 'created'> & Partial<FolderRecord>,
): FolderRecord {
  const { companyId, name, parent, created, grants = noGrants, tags = noTags, cover = null, ...rare } = given
  const { pk, sk } = folderKey(companyId, folderId)
  // Named fields take a fifth less memory than spread ones.
  return { pk, sk, folderId, companyId, name, parent, created, grants, tags, cover, ...rare }
}

/**
 * Claim of a folder's or contents id over all companies, with its company. The claim of a contents id that isn't its folder's own names the
 * folder.
 */
export type FolderClaim = Key & { companyId: CompanyId; contentsOf?: FolderId }
export const folderClaimKey = (id: FolderId | ContentsId): Key => ({ pk: `FOLDER#${id}`, sk: 'FOLDER' })

/** Claims an id for a company. Fails if it is taken. @param folderId the folder of a contents id */
export const claimId = (companyId: CompanyId, id: FolderId | ContentsId, folderId?: FolderId): Operation => ({
  put: { ...folderClaimKey(id), companyId, contentsOf: folderId } satisfies FolderClaim,
  if: { pk: { exists: false } },
})

/**
 * The due time of an entry that is moved into a folder now. Only entries of a trashcan have one.
 * @param container the folder; undefined for the root
 * @param now UNIX milliseconds
 */
export function dueIn(container: Pick<FolderRecord, 'system' | 'companyId'> | undefined, now: number): Partial<Due> {
  return container?.system === 'trash' ? trashDue(container.companyId, now) : NOT_DUE
}

/** Rights on a folder and its subtree. READ, WRITE and ADMIN are disjoint; WRITE implies UPLOAD. */
export const rights = ['READ', 'WRITE', 'ADMIN', 'UPLOAD'] as const
export type Right = (typeof rights)[number]

/** A set of rights as bits, which permission checks compare and join. */
export type RightSet = number

export const NO_RIGHTS: RightSet = 0
export const READ_ALONE: RightSet = rightSet(['READ'])
/** Rights needed to publish, both on the CDN folder and on a folder with the file. */
export const TO_PUBLISH: RightSet = rightSet(['READ', 'WRITE'])
export const EVERY_RIGHT: RightSet = rightSet(rights)
export const FULL_RIGHTS: RightSet = rightSet(['READ', 'WRITE', 'ADMIN'])

export function rightSet(of: readonly Right[]): RightSet {
  return of.reduce((set, right) => set | (1 << rights.indexOf(right)), 0)
}

function includes(set: RightSet, right: Right): boolean {
  return (set & (1 << rights.indexOf(right))) !== 0
}

/** Whether a set includes this right. WRITE implies UPLOAD; no other right implies one. */
export function holds(set: RightSet, right: Right): boolean {
  return includes(set, right) || (right === 'UPLOAD' && includes(set, 'WRITE'))
}

/** Whether a set includes all of another. */
export function holdsAll(set: RightSet, wanted: RightSet): boolean {
  return (set & wanted) === wanted
}

/** The rights of every possible set, precomputed: lists need thousands. */
const everySet = Array.from({ length: 2 ** rights.length }, (_, set) => rights.filter((right) => includes(set, right)))

export function rightsOf(set: RightSet): Right[] {
  return [...everySet[set]!]
}
