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
import { findCompany } from '../accounts/companies.ts'
import { type Due, dueTime, isDue } from '../due.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { type Placement, withoutPointers } from '../media/placement.ts'
import { changePointers, findPointer, unlessGone } from '../media/pointers.ts'
import { everyItem } from '../pages.ts'
import { deletionOf } from '../tree/folder-changes.ts'
import { TRASH_MS, trashKey } from '../tree/trash.ts'
import { changeTree } from '../tree/tree-store.ts'

/** Seconds between two runs at least: the index may still hold what was deleted. */
const LEAST_PAUSE = 60

/**
 * Deletes what has lain in the trashcans of a company for its time. Reads only what is due. Idempotent; safe to run concurrently and to crash.
 * An entry that can't be deleted, because others keep changing it, doesn't hold up the rest.
 * @param outOfTime asked before each entry; true leaves the rest to the next run
 * @returns when the next entry is due; undefined where the company is gone
 * @throws AggregateError after all others are deleted
 */
export async function expireTrash(library: Writing, companyId: CompanyId, outOfTime: () => boolean): Promise<Again | undefined> {
  const { table, clock } = library
  const due = { index: 'trashDue', pk: trashKey(companyId) } as const
  const failures: unknown[] = []
  for await (const entry of everyItem<Key>(table, { ...due, sk: { to: dueTime(clock.now()) } })) {
    if (outOfTime()) return {}
    await expire(library, entry).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} entries of trashcans were not deleted`)
  if (!(await findCompany(library, companyId))) return undefined
  const [next] = (await table.query<Key & Due>({ ...due, limit: 1 })).items
  const left = next ? Date.parse(next.dueAt) - clock.now() : TRASH_MS
  return { inSeconds: Math.max(LEAST_PAUSE, left / 1_000) }
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
