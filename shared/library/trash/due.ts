import { type Due, due, NOT_DUE } from '../due.ts'
import type { FolderRecord } from '../tree/folder.ts'

/** Days after which what lies in a trashcan is deleted for good. */
export const TRASH_DAYS = 30

/**
 * When an entry is to be deleted that is put into a folder now: only those of a trashcan are.
 * @param holder undefined for the root
 * @param id of the entry: media or folder id
 * @param now UNIX milliseconds
 */
export function dueIn(holder: Pick<FolderRecord, 'system'> | undefined, id: number, now: number): Partial<Due> {
  return holder?.system === 'trash' ? due('TRASH', id, now + TRASH_DAYS * 86_400_000) : NOT_DUE
}
