import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { Access } from '../access/access.ts'
import type { Caller, UserCaller } from '../access/caller.ts'
import { NO_RIGHTS } from '../access/rights.ts'
import { Invalid, NotFound } from '../errors.ts'
import { contentsOf, type FolderRecord } from '../folders/folder.ts'
import { ensureTrashcan } from '../folders/system-folders.ts'
import { trashOwner } from '../folders/trash-owner.ts'
import { loadTree } from '../folders/tree-store.ts'
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
  const { companyId } = folder
  const wasInTrash = trashOwner(await access.tree(companyId), folder) !== undefined
  const trashcan = contentsOf(await ensureTrashcan(by.table, by.clock, companyId, by.caller.user.userId))
  const plan = async (folders: ReadonlySet<number>) => {
    mustHold(folders, folder)
    const others = folders.difference(new Set([contentsOf(folder)]))
    // The folder may have been restored meanwhile, or thrown away: then this is the first time.
    const isForGood = wasInTrash && trashOwner(await loadTree(by.table, companyId), folder) !== undefined
    return isForGood ? others : others.union(new Set([trashcan]))
  }
  await changePointers(by, mediaId, plan, new Set([trashcan]))
}

/**
 * Sets which of the folders that the caller may WRITE hold the file; others are never touched (decision 15). Naming a folder that holds it
 * already needs no right; putting it into one is copying. @throws NotFound, Forbidden, Invalid
 */
export async function replaceFoldersAs(by: By, mediaId: number, wanted: readonly number[]): Promise<MediaRecord> {
  const access = new Access(by.table, by.caller)
  const media = await findMedia(by.table, mediaId)
  if ((await access.mediaRights(media)) === NO_RIGHTS) throw new NotFound('media')
  const writable = new Set((await access.writableAmong(media)).map(contentsOf))
  const target = new Set<number>()
  for (const folderId of wanted) {
    const contents = contentsOf((await access.folder(folderId)).record)
    target.add(contents)
    if (media.folders.includes(contents)) continue
    await access.requireMedia('READ', media)
    sameCompany(media, await access.folderWith('WRITE', folderId))
    writable.add(contents)
  }
  // What the caller may not write stays as it is, whatever others do meanwhile.
  const folders = await changePointers(by, mediaId, (current) => current.difference(writable).union(target.intersection(writable)))
  return { ...media, folders }
}

function sameCompany(media: MediaRecord, folder: FolderRecord): void {
  if (folder.companyId !== media.companyId) throw new Invalid({ path: '', message: 'The folder belongs to another company.' })
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

/** A trashcan's time begins anew with whatever is moved there, also what lies there already. */
async function movePointer(by: By, mediaId: number, from: FolderRecord, to: FolderRecord): Promise<void> {
  const target = new Set([contentsOf(to)])
  const plan = (folders: ReadonlySet<number>) => {
    mustHold(folders, from)
    return folders.difference(new Set([contentsOf(from)])).union(target)
  }
  await changePointers(by, mediaId, plan, target)
}
