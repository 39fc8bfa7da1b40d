import type { Key, Operation } from '../../backends/table/port.ts'
import { type CliqueId, type CompanyId, type FolderId, toContentsId, type UserId } from '../../vocabulary/ids.ts'
import { NOT_DUE } from '../due.ts'
import { Invalid, NotFound } from '../errors.ts'
import { JobKind, jobIdOf, jobKey } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { contentsOf, dueIn, type FolderRecord, newFolder } from './folder.ts'
import type { Chains, Tree } from './tree.ts'
import type { TreeChange } from './tree-store.ts'

/** Deepest nesting. Rights are inherited along the whole chain, so its length is bounded. */
export const MAX_DEPTH = 200

/**
 * Attributes of a folder in its new parent. A trashcan gives it a due time, and records its former parent.
 * @param now UNIX milliseconds
 */
export function parentAttributes(tree: Chains, folder: FolderRecord, parent: FolderId | null, now: number): Partial<FolderRecord> {
  const above = parent === null ? undefined : tree.get(parent)
  const trashedFrom = above?.system === 'trash' && folder.parent !== parent ? folder.parent : undefined
  return { parent, parentContents: above?.contents, trashedFrom, ...dueIn(above, now) }
}

/** @param height levels to be added below `parent` @throws NotFound, Invalid when that is too deep */
export function checkDepth(tree: Chains, parent: FolderId, height: number): void {
  const chain = tree.chain(parent)
  if (!chain) throw new NotFound('folder')
  if (chain.length + height > MAX_DEPTH) {
    throw new Invalid({ path: 'parent', message: `is too deep: folders nest at most ${MAX_DEPTH} levels` }, 'nested_too_deep')
  }
}

/** Levels of a subtree: 1 without subfolders. */
export function height(tree: Tree, folderId: FolderId): number {
  const above = tree.chain(folderId)?.length ?? 0
  return tree.subtree(folderId).reduce((most, { folderId: id }) => Math.max(most, (tree.chain(id)?.length ?? above) - above + 1), 1)
}

type Asking = Pick<Writing, 'clock' | 'by'>

/** A former member of a company, with the cliques of the company that they were in. */
export type FormerMember = { userId: UserId; companyId: CompanyId; cliqueIds: CliqueId[] }

/**
 * What a deletion leaves to a job: the contents of a folder, the memberships of a clique, the open uploads of a closed share link, or the
 * rights of a former member.
 */
export type Deleted = { folderId: FolderId } | { cliqueId: CliqueId } | { shareId: string } | FormerMember

/** Removes what a deletion leaves. */
export const removalJob = new JobKind<Deleted>('finish-removal')

function subjectOf(deleted: Deleted): string {
  if ('userId' in deleted) return `user-${deleted.companyId}-${deleted.userId}`
  if ('shareId' in deleted) return `share-${deleted.shareId}`
  return 'folderId' in deleted ? `folder-${deleted.folderId}` : `clique-${deleted.cliqueId}`
}

/** The key of a removal's job. */
export const removalKey = (deleted: Deleted): Key => jobKey(jobIdOf({ kind: removalJob.name, subject: subjectOf(deleted) }))

/** The operation that asks for a removal, in the transaction of the deletion. */
export const askForRemoval = (library: Asking, companyId: CompanyId, deleted: Deleted): Operation =>
  removalJob.ask(library, { companyId, subject: subjectOf(deleted), input: deleted })

type Written = Required<Pick<TreeChange, 'put' | 'also'>>

/** The writes that delete a folder, and ask for the job that removes its contents. */
export function deletionOf(library: Asking, folder: FolderRecord): Written {
  const { companyId, folderId, deleted = library.clock.now() } = folder
  return {
    put: [{ ...folder, ...NOT_DUE, deleted }],
    also: { [`removal of ${folderId}`]: askForRemoval(library, companyId, { folderId }) },
  }
}

/**
 * The writes that empty a folder: it gets a fresh contents id. A deleted record keeps the former one until a job has removed those
 * contents.
 * @param freshId contents id of the folder, and id of the deleted record
 */
export function emptyingOf(library: Asking, folder: FolderRecord, freshId: FolderId): Written {
  const { companyId, name } = folder
  const remains = newFolder(freshId, { companyId, name, parent: null, created: library.clock.now(), contents: contentsOf(folder) })
  const { put, also } = deletionOf(library, remains)
  return { put: [{ ...folder, contents: toContentsId(freshId) }, ...put], also }
}
