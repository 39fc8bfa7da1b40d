import type { Clock } from '../../backends/clock/port.ts'
import type { Operation, Table } from '../../backends/table/port.ts'
import { Invalid, NotFound } from '../errors.ts'
import { retryOnConflict } from '../retry.ts'
import { feedPlace, tombstone } from './change-feed.ts'
import { isAvailable, type MediaRecord, mediaKey, pointer, pointerKey } from './media.ts'

/** Most folders that may hold one file. */
export const MAX_FOLDERS = 1_000
/** Most pointers that one request may change: they share a transaction with the file. */
export const MAX_CHANGED_POINTERS = 90

/**
 * Changes which folders hold a file: `plan` maps the set that is to the set that shall be and runs again when somebody else was faster.
 * Pointers and file change in one transaction. When no pointer remains the file is deleted, and the committed deletion starts the removal
 * of its objects. The version stays (decision 15). Rights are the caller's to check.
 * @returns the folders that hold it then
 * @throws NotFound, Conflict, Invalid for too many
 */
export async function changePointers(
  { table, clock }: { table: Table; clock: Clock },
  mediaId: number,
  plan: (folders: ReadonlySet<number>) => ReadonlySet<number>,
): Promise<number[]> {
  return retryOnConflict(async () => {
    const media = await table.get<MediaRecord>(mediaKey(mediaId))
    if (!media) throw new NotFound('media')
    const before = new Set(media.folders)
    const after = plan(before)
    const added = [...after.difference(before)]
    const removed = [...before.difference(after)]
    if (added.length + removed.length === 0) return media.folders
    checkLimits(after.size, added.length + removed.length)
    const folders = [...after]
    await table.transact([
      ...(folders.length > 0 ? [place(media, folders, clock.now())] : remove(media, clock.now())),
      ...added.map((folderId) => ({ put: pointer(media, folderId) })),
      ...removed.map((folderId) => ({ delete: pointerKey(mediaId, folderId) })),
    ])
    return folders
  })
}

function place(media: MediaRecord, folders: number[], now: number): Operation {
  const feed = isAvailable(media) ? feedPlace(media, now) : {}
  return {
    update: mediaKey(media.mediaId),
    changes: { set: { folders, revision: media.revision + 1, ...feed } },
    if: { revision: { equals: media.revision } },
  }
}

function remove(media: MediaRecord, now: number): Operation[] {
  return [{ delete: mediaKey(media.mediaId), if: { revision: { equals: media.revision } } }, { put: tombstone(media, now) }]
}

function checkLimits(folders: number, changes: number): void {
  if (folders > MAX_FOLDERS) throw new Invalid({ path: '', message: `a file can be in at most ${MAX_FOLDERS} folders` })
  if (changes > MAX_CHANGED_POINTERS) {
    throw new Invalid({ path: '', message: `at most ${MAX_CHANGED_POINTERS} folders of a file can change at once` })
  }
}
