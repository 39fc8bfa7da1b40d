import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import { NotFound } from '../errors.ts'
import { changePointers } from '../media/pointers.ts'
import { everyItem } from '../pages.ts'
import { type FolderRecord, folderClaimKey } from './folder.ts'
import type { Tree } from './tree.ts'
import { changeTree, loadTree } from './tree-store.ts'

/**
 * Requests that began before the deletion may still add pointers. None lives longer than this, so a second sweep after it finds all.
 */
export const SETTLED_SECONDS = 60
/** Folder records that one transaction takes out; each is two operations. */
const FOLDERS_AT_ONCE = 40
/** Files worked on at the same time. */
const PARALLEL = 8

/**
 * Removes what a deleted folder held: every pointer in and below it (and with the last pointer the file), then the folder records.
 * What is done is gone, so a repeated or interrupted run goes on where the last one ended.
 * @param outOfTime asked between steps; true stops early
 * @returns what is left to do: `now` another run, `later` one after `SETTLED_SECONDS`, or nothing
 */
export async function removeContents(
  { table, clock }: { table: Table; clock: Clock },
  companyId: number,
  folderId: number,
  outOfTime: () => boolean,
): Promise<'nothing' | 'now' | 'later'> {
  const tree = await loadTree(table, companyId)
  const folders = tree.subtree(folderId)
  const deleted = folders[0]?.deleted
  if (deleted === undefined) return 'nothing'
  for (const folder of folders) {
    for await (const mediaIds of pointersOf(table, folder.folderId)) {
      if (outOfTime()) return 'now'
      await Promise.all(mediaIds.map((mediaId) => removePointer({ table, clock }, mediaId, folder.folderId)))
    }
  }
  if (clock.now() < deleted + SETTLED_SECONDS * 1000) return 'later'
  return removeRecords({ table, clock }, tree, folders, outOfTime)
}

/** Children go before their parents: an interrupted run must find the rest by its root. */
async function removeRecords(
  { table, clock }: { table: Table; clock: Clock },
  { companyId }: Tree,
  folders: readonly FolderRecord[],
  outOfTime: () => boolean,
): Promise<'nothing' | 'now'> {
  const rest = folders.map((folder) => folder.folderId).reverse()
  while (rest.length > 0) {
    if (outOfTime()) return 'now'
    const remove = rest.splice(0, FOLDERS_AT_ONCE)
    await changeTree(table, clock, companyId, () => ({ remove, also: remove.map((id) => ({ delete: folderClaimKey(id) })) }))
  }
  return 'nothing'
}

async function* pointersOf(table: Table, folderId: number): AsyncGenerator<number[]> {
  let batch: number[] = []
  const query = { index: 'pointersByFolder', pk: `FOLDER#${folderId}` } as const
  for await (const { pk } of everyItem<Key>(table, query)) {
    batch.push(Number(pk.slice('MEDIA#'.length)))
    if (batch.length < PARALLEL) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Index reads lag: a pointer may be gone already, or its file. */
async function removePointer(writing: { table: Table; clock: Clock }, mediaId: number, folderId: number): Promise<void> {
  try {
    await changePointers(writing, mediaId, (folders) => folders.difference(new Set([folderId])))
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}
