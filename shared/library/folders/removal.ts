import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation, Table } from '../../backends/table/port.ts'
import { forgetShares } from '../cliques/shares.ts'
import { holderKey } from '../media/media.ts'
import { POINTERS_AT_ONCE, removePointers } from '../media/remove-pointers.ts'
import { everyItem } from '../pages.ts'
import { contentsOf, type FolderRecord, folderClaimKey } from './folder.ts'
import type { Tree } from './tree.ts'
import { changeTree, loadTree } from './tree-store.ts'

/**
 * Requests that began before the deletion may still add pointers. None lives longer than this, so a second sweep after it finds all.
 */
export const SETTLED_SECONDS = 60
/** Folder records that one transaction takes out; each is up to three operations. */
const FOLDERS_AT_ONCE = 30

/**
 * Removes what a deleted folder held: every pointer in and below it (and with the last pointer the file), then the folder records with
 * what cliques shared of them.
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
    const contents = contentsOf(folder)
    for await (const mediaIds of pointersTo(table, contents)) {
      if (outOfTime()) return 'now'
      await removePointers({ table, clock }, mediaIds, contents)
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
  await forgetShares({ table }, companyId, rest)
  while (rest.length > 0) {
    if (outOfTime()) return 'now'
    const remove = rest.splice(0, FOLDERS_AT_ONCE)
    await changeTree(table, clock, companyId, (current) => ({ remove, also: releasedBy(current, remove) }))
  }
  return 'nothing'
}

/** The claims of ids that nothing has any more: a purged folder and the record of what it held exchange theirs. */
function releasedBy(tree: Tree, remove: readonly number[]): Operation[] {
  const removed = new Set(remove)
  const rest = tree.with(tree.version, [], remove)
  const ids = new Set(tree.stored(removed).flatMap((folder) => [folder.folderId, contentsOf(folder)]))
  return [...ids].filter((id) => !rest.uses(id)).map((id) => ({ delete: folderClaimKey(id) }))
}

async function* pointersTo(table: Table, contents: number): AsyncGenerator<number[]> {
  let batch: number[] = []
  const query = { index: 'pointersByFolder', pk: holderKey(contents) } as const
  for await (const { pk } of everyItem<Key>(table, query)) {
    batch.push(Number(pk.slice('MEDIA#'.length)))
    if (batch.length < POINTERS_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
