import { type ConditionFailed, type Operations, type TableReader, WriteConflict } from '../../backends/table/port.ts'
import { asLongAsPossible } from '../../deadline.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import { afterCommit } from '../concurrency/after-commit.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Reading, Writing } from '../library.ts'
import { perTable } from '../per-table.ts'
import { chainsAt, type Wanted } from './chains.ts'
import { contentsOf, type FolderRecord, folderClaimKey, folderKey } from './folder.ts'
import type { Chains, Tree } from './tree.ts'
import { nextVersion, readFolders, readVersion, TreeCache, wholeTree } from './tree-log.ts'
import { isSnapshotDue, renewSnapshot } from './tree-snapshot.ts'

/*
 * The store of trees. Every structural change of a company's tree is one transaction on its version, with an entry in the log of changes.
 * So concurrent moves can't make cycles, and a process that has version n reads only later changes.
 */

/** The tree as committed before the call. */
export async function loadTree({ table }: Reading, companyId: CompanyId): Promise<Tree> {
  return wholeTree(table, companyId, (await readVersion(table, companyId)).version)
}

/**
 * Those of these folders that exist, with their ancestors, as committed before the call. Without the tree in memory they are read level by
 * level: the whole tree may be a thousand times as large.
 */
export async function loadChains({ table }: Reading, companyId: CompanyId, wanted: Wanted): Promise<Chains> {
  return chainsAt(table, companyId, (await readVersion(table, companyId)).version, wanted)
}

/** The stored folders, for checks: read from the table, not from memory or a snapshot. */
export async function loadStoredTree({ table }: Reading, companyId: CompanyId): Promise<Tree> {
  return readFolders(table, companyId, (await readVersion(table, companyId)).version)
}

/** A change of a tree. */
export interface TreeChange {
  /** Folders to write. */
  put?: FolderRecord[]
  /** Ids of folders to remove. */
  remove?: FolderId[]
  /** Further writes of the transaction. */
  also?: Operations
}

/**
 * Changes a company's tree.
 * @param plan computes the change from the current tree; undefined for none. Runs again when another request was faster
 * @returns the tree after the change
 * @throws Conflict when other requests keep winning, ConditionFailed when one of `also` fails, and the errors of `plan`
 */
export async function changeTree(library: Writing, companyId: CompanyId, plan: (tree: Tree) => TreeChange | undefined): Promise<Tree> {
  return change(library, companyId, plan, (version) => wholeTree(library.table, companyId, version))
}

/**
 * Changes some folders of a company, where `plan` needs only them and their ancestors.
 * @param folderIds the folders that `plan` reads
 * @returns these folders after the change
 * @throws as `changeTree()` does
 */
export async function changeFolders(
  library: Writing,
  companyId: CompanyId,
  folderIds: readonly FolderId[],
  plan: (chains: Chains) => TreeChange | undefined,
): Promise<Chains> {
  return change(library, companyId, plan, (version) => chainsAt(library.table, companyId, version, { folderIds }))
}

/** @param read the tree, or the part that the plan needs, at this version or a newer one */
async function change(
  library: Writing,
  companyId: CompanyId,
  plan: (tree: Tree) => TreeChange | undefined,
  read: (version: number) => Promise<Tree>,
): Promise<Tree> {
  const { table } = library
  const attempt = async () => {
    const known = await readVersion(table, companyId)
    const tree = await read(known.version)
    // The change is conditional on the count, so exactly one change makes a snapshot due.
    const { changed } = tree.version === known.version ? known : await readVersion(table, companyId)
    const planned = plan(tree)
    if (!planned) return { tree, isDue: false }
    const after = await commit(library, tree, planned)
    await afterCommit(table, () => TreeCache.of(table).keep(after))
    return { tree: after, isDue: isSnapshotDue(changed, sizeOf(planned)) }
  }
  const isRace = (error: ConditionFailed | WriteConflict) => error instanceof WriteConflict || error.failed('treeVersion')
  const { tree, isDue } = await retryOnConflict(() => queued(table, companyId, attempt), isRace)
  if (isDue) {
    await afterCommit(table, () => asLongAsPossible(renewSnapshot(table, () => wholeTree(table, companyId, tree.version))))
  }
  return tree
}

/** Removes folders from a company's tree, and releases the ids that no folder uses then. */
export async function removeFolders(library: Writing, companyId: CompanyId, remove: FolderId[]): Promise<void> {
  await changeTree(library, companyId, (tree) => ({ remove, also: releasedClaims(tree, remove) }))
}

/** Releases the claims of ids that no other folder uses. A purged folder and the record of its former contents use each other's ids. */
function releasedClaims(tree: Tree, remove: readonly FolderId[]): Operations {
  const rest = tree.with(tree.version, [], remove)
  const ids = new Set(tree.stored(new Set(remove)).flatMap((folder) => [folder.folderId, contentsOf(folder)]))
  const unused = [...ids].filter((id) => !rest.uses(id))
  return Object.fromEntries(unused.map((id) => [`released claim ${id}`, { delete: folderClaimKey(id) }]))
}

/** The last queued change, by company. */
const lastOf = perTable(() => new Map<CompanyId, Promise<void>>())

/**
 * Queues the changes of a company's tree within this process. Without it all but one of several concurrent changes would conflict and be
 * retried. Changes of other processes still conflict.
 */
async function queued<T>(table: TableReader, companyId: CompanyId, change: () => Promise<T>): Promise<T> {
  const last = lastOf(table)
  const { promise: end, resolve: ended } = Promise.withResolvers<void>()
  const before = last.get(companyId)
  last.set(companyId, end)
  await before
  try {
    return await change()
  } finally {
    if (last.get(companyId) === end) last.delete(companyId)
    ended()
  }
}

async function commit({ table, by }: Writing, tree: Tree, { put = [], remove = [], also }: TreeChange): Promise<Tree> {
  const { companyId, version } = tree
  await table.transact({
    ...also,
    ...nextVersion(tree, { put, remove }),
    ...Object.fromEntries(put.map((folder) => [`folder ${folder.folderId}`, { put: { ...folder, by } }])),
    ...Object.fromEntries(remove.map((folderId) => [`removed folder ${folderId}`, { delete: folderKey(companyId, folderId) }])),
  })
  return tree.with(version + 1, put, remove)
}

const sizeOf = ({ put = [], remove = [] }: TreeChange): number => put.length + remove.length
