import type { Key, Operation } from '../../backends/table/port.ts'
import { type CliqueId, type CompanyId, type FolderId, toContentsId } from '../../vocabulary/ids.ts'
import { NOT_DUE } from '../due.ts'
import { JobKind, jobIdOf, jobKey } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { contentsOf, type FolderRecord, newFolder } from './folder.ts'
import type { TreeChange } from './tree-store.ts'

type Asking = Pick<Writing, 'clock' | 'by'>

/** What was deleted, and left something behind: a folder its contents, a clique its memberships. */
export type Deleted = { folderId: FolderId } | { cliqueId: CliqueId }

/** Removes what a deleted folder or clique leaves behind. */
export const removalJob = new JobKind<Deleted>('finish-removal')

const subjectOf = (deleted: Deleted): string => ('folderId' in deleted ? `folder-${deleted.folderId}` : `clique-${deleted.cliqueId}`)

/** The key of a removal's job. */
export const removalKey = (deleted: Deleted): Key => jobKey(jobIdOf({ kind: removalJob.name, subject: subjectOf(deleted) }))

/** The write that asks for a removal, in the transaction of the deletion. */
export const askForRemoval = (library: Asking, companyId: CompanyId, deleted: Deleted): Operation =>
  removalJob.ask(library, { companyId, subject: subjectOf(deleted), input: deleted })

type Written = Required<Pick<TreeChange, 'put' | 'also'>>

/** Deletes a folder, with the job that removes its contents. */
export function deletionOf(library: Asking, folder: FolderRecord): Written {
  const { companyId, folderId, deleted = library.clock.now() } = folder
  return {
    put: [{ ...folder, ...NOT_DUE, deleted }],
    also: { [`removal of ${folderId}`]: askForRemoval(library, companyId, { folderId }) },
  }
}

/**
 * Empties a folder: it gets fresh contents. A deleted record keeps the contents that there were until a job has removed them.
 * @param freshId claimed for both
 */
export function emptyingOf(library: Asking, folder: FolderRecord, freshId: FolderId): Written {
  const { companyId, name } = folder
  const remains = newFolder(freshId, { companyId, name, parent: null, created: library.clock.now(), contents: contentsOf(folder) })
  const { put, also } = deletionOf(library, remains)
  return { put: [{ ...folder, contents: toContentsId(freshId) }, ...put], also }
}
