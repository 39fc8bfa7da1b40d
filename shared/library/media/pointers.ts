import type { Clock } from '../../backends/clock/port.ts'
import type { Operation, Operations, Table, TableReader } from '../../backends/table/port.ts'
import { Invalid, NotFound } from '../errors.ts'
import { retryOnConflict } from '../retry.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { loadTree } from '../tree/tree-store.ts'
import { usageChange } from '../usage/usage.ts'
import { feedPlace, tombstone } from './change-feed.ts'
import { isAvailable, type MediaRecord, mediaKey, pointer, pointerKey } from './media.ts'
import { isSamePlacement, type Placement, placementOf, storedPlacement } from './placement.ts'

/** Most folders that may hold one file. */
export const MAX_FOLDERS = 1_000
/** Most pointers that one request may change: they share a transaction with the file. */
export const MAX_CHANGED_POINTERS = 90

/**
 * Changes which folders hold a file, and what its pointers give: `plan` maps the placement that is to the one that shall be and runs again
 * when somebody else was faster. Pointers and file change in one transaction. When no pointer remains the file is deleted, and the committed
 * deletion starts the removal of its objects. The version stays. Rights are the caller's to check.
 * @param plan also sees the file's record as it is then
 * @param renewed contents ids of folders whose pointers are made anew where they are there already
 * @returns the placement then
 * @throws NotFound also for a folder to be added that is gone, Conflict, Invalid for too many
 */
export async function changePointers(
  { table, clock }: { table: Table; clock: Clock },
  mediaId: number,
  plan: (placement: Placement, media: MediaRecord) => Placement | Promise<Placement>,
  renewed: ReadonlySet<number> = new Set(),
): Promise<Placement> {
  return retryOnConflict(async () => {
    const media = await table.get<MediaRecord>(mediaKey(mediaId))
    if (!media) throw new NotFound('media')
    const before = placementOf(media)
    const after = await plan(before, media)
    const added = [...after.keys()].filter((contents) => !before.has(contents) || renewed.has(contents))
    const removed = [...before.keys()].filter((contents) => !after.has(contents))
    if (added.length === 0 && isSamePlacement(before, after)) return before
    checkLimits(after.size, added.length + removed.length)
    const holders = await holdersOf(table, media.companyId, added)
    await table.transact({
      ...(after.size > 0 ? { media: place(media, after, clock.now()) } : removeFile(media, clock.now())),
      ...(after.size === 0 && isAvailable(media) && { usage: usageChange(media, -1) }),
      ...Object.fromEntries(holders.map((folder) => [`pointer to ${folder.folderId}`, { put: pointer(media, folder, clock.now()) }])),
      ...Object.fromEntries(removed.map((contents) => [`removed pointer to ${contents}`, { delete: pointerKey(mediaId, contents) }])),
    })
    return after
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

/** Says in a file's record which folders hold it, and what its pointers give. */
export function place(media: MediaRecord, placement: Placement, now: number): Operation {
  const feed = isAvailable(media) ? feedPlace(media, now) : {}
  return {
    update: mediaKey(media.mediaId),
    changes: { set: { ...storedPlacement(placement), revision: media.revision + 1, ...feed } },
    if: { revision: { equals: media.revision } },
  }
}

/** Deletes a file's record, and tells search engines so. */
export function removeFile(media: MediaRecord, now: number): Operations {
  const { mediaId, revision } = media
  return {
    [`media ${mediaId}`]: { delete: mediaKey(mediaId), if: { revision: { equals: revision } } },
    [`tombstone ${mediaId}`]: { put: tombstone(media, now) },
  }
}

function checkLimits(folders: number, changes: number): void {
  if (folders > MAX_FOLDERS) throw new Invalid({ path: '', message: `A file can be in at most ${MAX_FOLDERS} folders.` })
  if (changes > MAX_CHANGED_POINTERS) {
    throw new Invalid({ path: '', message: `At most ${MAX_CHANGED_POINTERS} folders of a file can change at once.` })
  }
}
