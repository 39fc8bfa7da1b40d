import type { Key } from '../../backends/table/port.ts'
import {
  type CompanyId,
  type ContentsId,
  type FolderId,
  type MediaId,
  toCompanyId,
  toContentsId,
  toFolderId,
  toMediaId,
} from '../../vocabulary/ids.ts'
import { forEachDue, isDue } from '../due.ts'
import type { Writing } from '../library.ts'
import { type Placement, withoutPointers } from '../media/placement.ts'
import { changePointers, findPointer, unlessGone } from '../media/pointers.ts'
import { deletionOf } from '../tree/folder-changes.ts'
import { changeTree } from '../tree/tree-store.ts'

/**
 * Deletes what has lain in a trashcan for its time: reads only what is due. Any number of runs, also at the same time; what is left when
 * time is up is for the next run.
 * @param outOfTime asked before each entry; true stops
 * @throws AggregateError after all others are done
 */
export async function expireTrash(library: Writing, outOfTime: () => boolean): Promise<void> {
  await forEachDue(library, 'TRASH', outOfTime, (entry) => expire(library, entry))
}

async function expire(library: Writing, { pk, sk }: Key): Promise<void> {
  const id = Number(sk.slice('FOLDER#'.length))
  const [kind, owner] = pk.split('#')
  if (kind === 'COMPANY') await expireFolder(library, toCompanyId(Number(owner)), toFolderId(id))
  else await expirePointer(library, toMediaId(Number(owner)), toContentsId(id))
}

/** The index lags: the folder may have been restored, or trashed anew, since. */
async function expireFolder(library: Writing, companyId: CompanyId, folderId: FolderId): Promise<void> {
  await changeTree(library, companyId, (tree) => {
    const folder = tree.get(folderId)
    return folder && isDue(folder, library.clock.now()) ? deletionOf(library, folder) : undefined
  })
}

async function expirePointer(library: Writing, mediaId: MediaId, contents: ContentsId): Promise<void> {
  const plan = async (placement: Placement) => {
    // Read after the file: a change of the pointer changes the file, and then this runs again.
    const pointer = await findPointer(library, mediaId, contents)
    return pointer && isDue(pointer, library.clock.now()) ? withoutPointers(placement, new Set([contents])) : placement
  }
  await changePointers(library, mediaId, plan).catch(unlessGone)
}
