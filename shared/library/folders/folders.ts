import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { claimId, type FolderRecord, FULL_RIGHTS, NO_RIGHTS, newFolder, type RightSet, rightsOf } from '../tree/folder.ts'
import { checkDepth, deletionOf, height, parentAttributes } from '../tree/folder-changes.ts'
import { type Chains, type Tree, trashOwner } from '../tree/tree.ts'
import { changeFolders, changeTree } from '../tree/tree-store.ts'
import { grantsAfterMove } from './carried-rights.ts'

/**
 * Creates a folder. Requires ADMIN on the parent, or membership of the company for a root folder. The creator gets those of READ, WRITE and
 * ADMIN that they don't inherit.
 * @throws NotFound, Forbidden, Invalid
 */
export async function createFolder(
  library: AuthorizedWriting,
  input: { name: string; parent: FolderId | null; companyId?: CompanyId | undefined },
): Promise<FolderRecord> {
  const { access } = library
  const { name, parent } = input
  const above = parent === null ? undefined : await access.folderWith('ADMIN', parent)
  const companyId = above?.companyId ?? input.companyId ?? access.companyIds[0]
  if (companyId === undefined || !access.isMember(companyId)) throw new NotFound('company')
  if (above && input.companyId !== undefined && input.companyId !== above.companyId) {
    throw new Invalid({ path: 'company_id', message: 'must be that of the parent folder' })
  }
  const inherited = parent === null ? NO_RIGHTS : (await access.folder(parent)).rights
  return insertFolder(library, { companyId, name, parent, grants: fullGrants(access, companyId, inherited) })
}

/** The grants of a new folder: the rights that its creator doesn't inherit. */
function fullGrants(access: AuthorizedWriting['access'], companyId: CompanyId, inherited: RightSet): FolderRecord['grants'] {
  if (access.caller.kind !== 'user' || access.isAdmin(companyId)) return {}
  const lacking = rightsOf(FULL_RIGHTS & ~inherited)
  return lacking.length > 0 ? { [access.caller.user.userId]: lacking } : {}
}

async function insertFolder(
  library: Writing,
  input: Pick<FolderRecord, 'companyId' | 'name' | 'parent' | 'grants'>,
): Promise<FolderRecord> {
  const { companyId, parent } = input
  return withFreshId(async (folderId: FolderId) => {
    const folder = newFolder(folderId, { ...input, created: library.clock.now() })
    const above = parent === null ? [] : [parent]
    const tree = await changeFolders(library, companyId, above, (current) => {
      if (parent !== null) checkDepth(current, parent, 1)
      return {
        put: [{ ...folder, ...parentAttributes(current, folder, parent, library.clock.now()) }],
        also: { claim: claimId(companyId, folderId) },
      }
    })
    return tree.get(folderId)!
  })
}

/**
 * Renames or moves a folder; absent values stay. A move requires ADMIN on the folder and on the new parent, or membership of the company
 * for the root. A user who moves a folder to the root keeps the rights that they inherited, until it moves below a parent again.
 * @throws NotFound, Forbidden, Invalid for a move under itself, into another company, or too deep
 */
export async function changeFolder(
  library: AuthorizedWriting,
  folderId: FolderId,
  input: { name?: string | undefined; parent?: FolderId | null | undefined; companyId?: CompanyId | undefined },
): Promise<FolderRecord> {
  const { access } = library
  const { companyId, parent: oldParent } = await access.alterableFolder(folderId)
  if (input.companyId !== undefined && input.companyId !== companyId) {
    throw new Invalid({ path: 'company_id', message: 'must stay the same: a folder cannot move to another company' })
  }
  const { name, parent } = input
  const named = name === undefined ? {} : { name }
  if (parent === undefined || parent === oldParent) {
    const chains = await changeFolders(library, companyId, [folderId], (current) => ({
      put: [{ ...existing(current, folderId), ...named }],
    }))
    return chains.get(folderId)!
  }
  if (parent !== null) {
    const target = await access.folderWith('ADMIN', parent)
    if (target.companyId !== companyId) throw new Invalid({ path: 'parent', message: 'is a folder of another company' })
  }
  const grantsAfter = await grantsAfterMove(access)
  const tree = await changeTree(library, companyId, (current) => {
    const folder = existing(current, folderId)
    if (parent !== null) {
      if (current.isWithin(parent, folderId))
        throw new Invalid({ path: 'parent', message: 'must be neither the folder itself nor below it' }, 'folder_cycle')
      checkDepth(current, parent, height(current, folderId))
      if (trashOwner(current, current.get(parent)!) !== undefined) refusePermanent(current, folderId)
    }
    const grants = grantsAfter(current, folder, parent === null ? undefined : current.get(parent))
    return { put: [{ ...folder, ...parentAttributes(current, folder, parent, library.clock.now()), ...named, ...grants }] }
  })
  return tree.get(folderId)!
}

/** @throws NotFound */
function existing(chains: Chains, folderId: FolderId): FolderRecord {
  const folder = chains.get(folderId)
  if (!folder) throw new NotFound('folder')
  return folder
}

/**
 * Deletes a folder with everything in and below it. It disappears from all responses at once. A job removes the contents
 * (removals/folder.ts).
 * @throws NotFound, Forbidden also when a folder below is PERMANENT
 */
export async function deleteFolder(library: AuthorizedWriting, folderId: FolderId): Promise<void> {
  const { companyId } = await library.access.alterableFolder(folderId)
  await changeTree(library, companyId, (tree) => {
    const folder = existing(tree, folderId)
    refusePermanent(tree, folderId)
    return deletionOf(library, folder)
  })
}

/** @throws Forbidden when a folder below is PERMANENT */
export function refusePermanent(tree: Tree, folderId: FolderId): void {
  const permanent = tree.subtree(folderId).some((below) => below.folderId !== folderId && below.system && tree.get(below.folderId))
  if (permanent) throw new Forbidden('The folder holds a permanent folder.', 'permanent_folder')
}
