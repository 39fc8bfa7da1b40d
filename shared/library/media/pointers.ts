import type { Clock } from '../../backends/clock/port.ts'
import type { Operation, Table, TableReader } from '../../backends/table/port.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { FolderRecord } from '../folders/folder.ts'
import { loadTree } from '../folders/tree-store.ts'
import { retryOnConflict } from '../retry.ts'
import { usageChange } from '../usage/usage.ts'
import { feedPlace, tombstone } from './change-feed.ts'
import { isAvailable, type MediaRecord, mediaKey, pointer, pointerKey } from './media.ts'

/** Most folders that may hold one file. */
export const MAX_FOLDERS = 1_000
/** Most pointers that one request may change: they share a transaction with the file. */
export const MAX_CHANGED_POINTERS = 90

/**
 * Changes which folders hold a file: `plan` maps the set that is, by contents ids, to the set that shall be and runs again when somebody
 * else was faster. Pointers and file change in one transaction. When no pointer remains the file is deleted, and the committed deletion
 * starts the removal of its objects. The version stays (decision 15). Rights are the caller's to check.
 * @param renewed contents ids of folders whose pointers are made anew where they are there already
 * @returns the contents ids of the folders that hold it then
 * @throws NotFound also for a folder to be added that is gone, Conflict, Invalid for too many
 */
export async function changePointers(
  { table, clock }: { table: Table; clock: Clock },
  mediaId: number,
  plan: (folders: ReadonlySet<number>) => ReadonlySet<number> | Promise<ReadonlySet<number>>,
  renewed: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  return retryOnConflict(async () => {
    const media = await table.get<MediaRecord>(mediaKey(mediaId))
    if (!media) throw new NotFound('media')
    const before = new Set(media.folders)
    const after = await plan(before)
    const added = [...after.difference(before.difference(renewed))]
    const removed = [...before.difference(after)]
    if (added.length + removed.length === 0) return media.folders
    checkLimits(after.size, added.length + removed.length)
    const folders = [...after]
    const holders = await holdersOf(table, media.companyId, added)
    await table.transact([
      ...(folders.length > 0 ? [placeIn(media, folders, clock.now())] : removeFile(media, clock.now())),
      ...(folders.length === 0 && isAvailable(media) ? [usageChange(media, -1)] : []),
      ...holders.map((folder) => ({ put: pointer(media, folder, clock.now()) })),
      ...removed.map((contents) => ({ delete: pointerKey(mediaId, contents) })),
    ])
    return folders
  })
}

/** @throws NotFound */
async function holdersOf(table: TableReader, companyId: number, added: readonly number[]): Promise<FolderRecord[]> {
  if (added.length === 0) return []
  const tree = await loadTree(table, companyId)
  return added.map((contents) => {
    const folder = tree.holder(contents)
    if (!folder) throw new NotFound('folder')
    return folder
  })
}

/** Says in a file's record which folders hold it. */
export function placeIn(media: MediaRecord, folders: number[], now: number): Operation {
  const feed = isAvailable(media) ? feedPlace(media, now) : {}
  return {
    update: mediaKey(media.mediaId),
    changes: { set: { folders, revision: media.revision + 1, ...feed } },
    if: { revision: { equals: media.revision } },
  }
}

/** Deletes a file's record, and tells search engines so. */
export function removeFile(media: MediaRecord, now: number): Operation[] {
  return [{ delete: mediaKey(media.mediaId), if: { revision: { equals: media.revision } } }, { put: tombstone(media, now) }]
}

function checkLimits(folders: number, changes: number): void {
  if (folders > MAX_FOLDERS) throw new Invalid({ path: '', message: `A file can be in at most ${MAX_FOLDERS} folders.` })
  if (changes > MAX_CHANGED_POINTERS) {
    throw new Invalid({ path: '', message: `At most ${MAX_CHANGED_POINTERS} folders of a file can change at once.` })
  }
}
