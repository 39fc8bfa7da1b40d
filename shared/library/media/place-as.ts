import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { Access, trashOwner } from '../access/access.ts'
import type { Caller, UserCaller } from '../access/caller.ts'
import { Invalid, NotFound } from '../errors.ts'
import { contentsOf, type FolderRecord } from '../folders/folder.ts'
import { ensureTrashcan } from '../folders/system-folders.ts'
import { findMedia, mediaWith } from './find.ts'
import type { MediaRecord } from './media.ts'
import { changePointers } from './pointers.ts'

/** Who places a file, and with what. */
interface By {
  caller: Caller
  table: Table
  clock: Clock
}

/** Adds a pointer: needs READ on a folder that holds the file and WRITE on the target (decision 15). @throws NotFound, Forbidden, Invalid */
export async function copyAs(by: By, mediaId: number, folderId: number): Promise<void> {
  const access = new Access(by.table, by.caller)
  const media = await mediaWith('READ', by.table, access, mediaId)
  const folder = await access.folderWith('WRITE', folderId)
  sameCompany(media, folder)
  await changePointers(by, mediaId, (folders) => folders.union(new Set([contentsOf(folder)])))
}

/** Moves a pointer: needs WRITE on both folders. @throws NotFound, Forbidden, Invalid */
export async function moveAs(by: By, mediaId: number, from: number, to: number): Promise<void> {
  const access = new Access(by.table, by.caller)
  const source = await access.folderWith('WRITE', from)
  // Only now anything is said of the file: whoever holds no folder of it may not learn that it exists.
  const media = await findMedia(by.table, mediaId)
  mustHold(new Set(media.folders), source)
  const target = await access.folderWith('WRITE', to)
  sameCompany(media, target)
  await movePointer(by, mediaId, source, target)
}

/** Takes a pointer away: needs WRITE on the folder. The last one takes the file with it. @throws NotFound, Forbidden */
export async function removeAs(by: By, mediaId: number, folderId: number): Promise<void> {
  await removePointer(by, mediaId, await new Access(by.table, by.caller).folderWith('WRITE', folderId))
}

/**
 * Moves a pointer to the caller's trashcan; one that lies in it, or in a folder below, is removed for good (decision 20). Needs WRITE on the
 * folder. @throws NotFound, Forbidden
 */
export async function trashAs(by: By & { caller: UserCaller }, mediaId: number, folderId: number): Promise<void> {
  const access = new Access(by.table, by.caller)
  const folder = await access.folderWith('WRITE', folderId)
  if (trashOwner(await access.tree(folder.companyId), folder) !== undefined) return removePointer(by, mediaId, folder)
  const { userId } = by.caller.user
  await movePointer(by, mediaId, folder, await ensureTrashcan(by.table, by.clock, folder.companyId, userId))
}

/**
 * Sets which of the folders that the caller may WRITE hold the file; others are never touched (decision 15). Naming a folder that holds it
 * already needs no right. @throws NotFound, Forbidden, Invalid
 */
export async function replaceFoldersAs(by: By, mediaId: number, wanted: readonly number[]): Promise<MediaRecord> {
  const access = new Access(by.table, by.caller)
  const media = await mediaWith('READ', by.table, access, mediaId)
  const writable = new Set((await access.writableAmong(media)).map(contentsOf))
  const target = new Set<number>()
  for (const folderId of wanted) {
    const contents = contentsOf((await access.folder(folderId)).record)
    target.add(contents)
    if (media.folders.includes(contents)) continue
    sameCompany(media, await access.folderWith('WRITE', folderId))
    writable.add(contents)
  }
  // What the caller may not write stays as it is, whatever others do meanwhile.
  const folders = await changePointers(by, mediaId, (current) => current.difference(writable).union(target.intersection(writable)))
  return { ...media, folders }
}

function sameCompany(media: MediaRecord, folder: FolderRecord): void {
  if (folder.companyId !== media.companyId) throw new Invalid({ path: 'folder', message: 'the folder belongs to another company' })
}

function mustHold(folders: ReadonlySet<number>, folder: FolderRecord): void {
  if (!folders.has(contentsOf(folder))) throw new NotFound('media')
}

async function removePointer(by: By, mediaId: number, folder: FolderRecord): Promise<void> {
  await changePointers(by, mediaId, (folders) => {
    mustHold(folders, folder)
    return folders.difference(new Set([contentsOf(folder)]))
  })
}

async function movePointer(by: By, mediaId: number, from: FolderRecord, to: FolderRecord): Promise<void> {
  await changePointers(by, mediaId, (folders) => {
    mustHold(folders, from)
    return folders.difference(new Set([contentsOf(from)])).union(new Set([contentsOf(to)]))
  })
}
