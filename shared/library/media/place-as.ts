import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { FolderRecord } from '../folders/folder.ts'
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
  sameCompany(media, await access.folderWith('WRITE', folderId))
  await changePointers(by, mediaId, (folders) => folders.union(new Set([folderId])))
}

/** Moves a pointer: needs WRITE on both folders. @throws NotFound, Forbidden, Invalid */
export async function moveAs(by: By, mediaId: number, from: number, to: number): Promise<void> {
  const access = new Access(by.table, by.caller)
  const media = await findMedia(by.table, mediaId)
  await access.folderWith('WRITE', from)
  // Before anything is said of the file: whoever holds no folder of it may not learn that it exists.
  mustHold(new Set(media.folders), from)
  sameCompany(media, await access.folderWith('WRITE', to))
  await changePointers(by, mediaId, (folders) => {
    mustHold(folders, from)
    return folders.difference(new Set([from])).union(new Set([to]))
  })
}

/** Takes a pointer away: needs WRITE on the folder. The last one takes the file with it. @throws NotFound, Forbidden */
export async function removeAs(by: By, mediaId: number, folderId: number): Promise<void> {
  await new Access(by.table, by.caller).folderWith('WRITE', folderId)
  await changePointers(by, mediaId, (folders) => {
    mustHold(folders, folderId)
    return folders.difference(new Set([folderId]))
  })
}

/**
 * Sets which of the folders that the caller may WRITE hold the file; others are never touched (decision 15). Naming a folder that holds it
 * already needs no right. @throws NotFound, Forbidden, Invalid
 */
export async function replaceFoldersAs(by: By, mediaId: number, wanted: readonly number[]): Promise<MediaRecord> {
  const access = new Access(by.table, by.caller)
  const media = await mediaWith('READ', by.table, access, mediaId)
  const writable = new Set(await access.writableAmong(media))
  for (const folderId of wanted) {
    if (media.folders.includes(folderId)) await access.folder(folderId)
    else {
      sameCompany(media, await access.folderWith('WRITE', folderId))
      writable.add(folderId)
    }
  }
  const target = new Set(wanted)
  // What the caller may not write stays as it is, whatever others do meanwhile.
  const folders = await changePointers(by, mediaId, (current) => current.difference(writable).union(target.intersection(writable)))
  return { ...media, folders }
}

function sameCompany(media: MediaRecord, folder: FolderRecord): void {
  if (folder.companyId !== media.companyId) throw new Invalid({ path: 'folder', message: 'the folder belongs to another company' })
}

function mustHold(folders: ReadonlySet<number>, folderId: number): void {
  if (!folders.has(folderId)) throw new NotFound('media')
}
