import { type ConditionFailed, type Operations, type TableReader, WriteConflict } from '../../backends/table/port.ts'
import { asLongAsPossible } from '../../deadline.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import { afterCommit } from '../after-commit.ts'
import type { Reading, Writing } from '../library.ts'
import { retryOnConflict } from '../retry.ts'
import { chainsAt, type Wanted } from './chains.ts'
import { contentsOf, type FolderRecord, folderClaimKey, folderKey } from './folder.ts'
import type { Chains, Tree } from './tree.ts'
import { readFolders, TreeCache, wholeTree } from './tree-cache.ts'
import { nextVersion, readVersion } from './tree-log.ts'
import { isSnapshotDue, renewSnapshot } from './tree-snapshot.ts'

/*
 * Where trees are kept. Every structural change of a company's tree is one transaction on its version, with an entry in a log of changes;
 * so moves can't make cycles, and a process that knows version n reads only what came since.
 */

/** The tree as committed before the call. */
export async function loadTree({ table }: Reading, companyId: CompanyId): Promise<Tree> {
  return wholeTree(table, companyId, (await readVersion(table, companyId)).version)
}

/**
 * Of these folders those that are there, each with all above it, as committed before the call. They are read one level after the other, where
 * the tree isn't in memory: it may be a thousand times as large.
 */
export async function loadChains({ table }: Reading, companyId: CompanyId, wanted: Wanted): Promise<Chains> {
  return chainsAt(table, companyId, (await readVersion(table, companyId)).version, wanted)
}

/** The folders as they are stored, for who looks whether they are as they should be: not what is known of them, nor a snapshot. */
export async function loadStoredTree({ table }: Reading, companyId: CompanyId): Promise<Tree> {
  return readFolders(table, companyId, (await readVersion(table, companyId)).version)
}

/** A change of a tree. */
export interface TreeChange {
  /** Folders to write. */
  put?: FolderRecord[]
  /** Ids of folders to take out. */
  remove?: FolderId[]
  /** What else to do in the same transaction. */
  also?: Operations
}

/**
 * Changes a company's tree. `plan` says what to do with the tree as it is, or nothing; it runs again on the newer tree when another request
 * was faster. @returns the tree after the change
 * @throws Conflict when others were faster every time, ConditionFailed when one of `also` fails, and whatever `plan` throws
 */
export async function changeTree(library: Writing, companyId: CompanyId, plan: (tree: Tree) => TreeChange | undefined): Promise<Tree> {
  return change(library, companyId, plan, (version) => wholeTree(library.table, companyId, version))
}

/**
 * Changes some folders of a company, of which `plan` needs to know nothing but what is above them.
 * @param folderIds those that `plan` looks at. @returns these folders after the change
 * @throws as `changeTree` does
 */
export async function changeFolders(
  library: Writing,
  companyId: CompanyId,
  folderIds: readonly FolderId[],
  plan: (chains: Chains) => TreeChange | undefined,
): Promise<Chains> {
  return change(library, companyId, plan, (version) => chainsAt(library.table, companyId, version, { folderIds }))
}

/** @param read the tree, or what of it the plan needs, at this version or a newer one */
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
    // The count has to be that of the tree, so that one change alone makes a snapshot due.
    const { changed } = tree.version === known.version ? known : await readVersion(table, companyId)
    const planned = plan(tree)
    if (!planned) return { tree, isDue: false }
    const after = await commit(library, tree, planned)
    await afterCommit(table, () => TreeCache.of(table).keep(after))
    return { tree: after, isDue: isSnapshotDue(changed, sizeOf(planned)) }
  }
  const isRace = (error: ConditionFailed | WriteConflict) => error instanceof WriteConflict || error.failed('treeVersion')
  const { tree, isDue } = await retryOnConflict(() => inTurn(table, companyId, attempt), isRace)
  if (isDue) {
    await afterCommit(table, () => asLongAsPossible(renewSnapshot(table, () => wholeTree(table, companyId, tree.version))))
  }
  return tree
}

/** Takes folders out of a company's tree; ids that no folder uses any more are free again. */
export async function removeFolders(library: Writing, companyId: CompanyId, remove: FolderId[]): Promise<void> {
  await changeTree(library, companyId, (tree) => ({ remove, also: releasedClaims(tree, remove) }))
}

/** The claims of ids that no folder uses any more: a purged folder and the record of what it contained have exchanged their contents ids. */
function releasedClaims(tree: Tree, remove: readonly FolderId[]): Operations {
  const rest = tree.with(tree.version, [], remove)
  const ids = new Set(tree.stored(new Set(remove)).flatMap((folder) => [folder.folderId, contentsOf(folder)]))
  const unused = [...ids].filter((id) => !rest.uses(id))
  return Object.fromEntries(unused.map((id) => [`released claim ${id}`, { delete: folderClaimKey(id) }]))
}

/** The ends of the changes that were asked for last, by company. */
const lastOfTables = new WeakMap<TableReader, Map<CompanyId, Promise<void>>>()

/**
 * Changes a company's tree when those that this process was asked for before have ended. Each begins with the version that another leaves, so of
 * those that begin together all but one would have to try again. Other processes may be faster all the same.
 */
async function inTurn<T>(table: TableReader, companyId: CompanyId, change: () => Promise<T>): Promise<T> {
  const committed = table.origin ?? table
  const last = lastOfTables.get(committed) ?? new Map<CompanyId, Promise<void>>()
  lastOfTables.set(committed, last)
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
