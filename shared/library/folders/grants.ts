import type { CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { knownUser } from '../access/people.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { type FolderClaim, type FolderRecord, folderClaimKey, type Right, rights } from '../tree/folder.ts'
import { changeFolders } from '../tree/tree-store.ts'

/** Most grants of one folder: its record is read with the tree. Cliques reach more users. */
export const MAX_GRANTS = 1_000

/**
 * Sets a user's grant on a folder of their company. No rights remove the grant. Requires ADMIN on the folder.
 * @throws NotFound, Forbidden, Invalid for a user of other companies and for too many grants
 */
export async function grantFolder(
  library: AuthorizedWriting,
  folderId: FolderId,
  userId: UserId,
  wanted: readonly Right[],
): Promise<FolderRecord> {
  const { companyId } = await library.access.folderWith('ADMIN', folderId)
  const { companyIds } = await knownUser(library, userId)
  if (!companyIds.includes(companyId)) throw new Invalid({ path: 'userId', message: "is not a user of the folder's company" })
  return setGrants(library, folderId, userId, () => wanted)
}

/**
 * Sets a user's grant on a folder and its subtree. No rights remove the grant.
 * @param next computes the rights from the current grant; runs again after a conflict
 * @throws NotFound for an unknown folder, Invalid for too many grants, Forbidden for a trashcan and its contents, on which only the owner
 * has rights
 */
export async function setGrants(
  library: Writing,
  folderId: FolderId,
  userId: UserId,
  next: (granted: readonly Right[]) => readonly Right[],
): Promise<FolderRecord> {
  const companyId = await companyOfFolder(library, folderId)
  const tree = await changeFolders(library, companyId, [folderId], (current) => {
    const chain = current.chain(folderId)
    const folder = chain?.[0]
    if (!chain || !folder) throw new NotFound('folder')
    if (chain.some(({ system }) => system === 'trash')) throw new Forbidden("A trashcan is its owner's alone: it cannot be shared.")
    const wanted = next(folder.grants[userId] ?? [])
    const { [userId]: _, ...others } = folder.grants
    const granted = rights.filter((right) => wanted.includes(right))
    const grants = granted.length > 0 ? { ...others, [userId]: granted } : others
    if (Object.keys(grants).length > MAX_GRANTS) {
      throw new Invalid({ path: '', message: `A folder can grant rights to at most ${MAX_GRANTS} users. Share it with a clique.` })
    }
    // An explicit grant isn't carried: moves keep it.
    const carried = folder.carried?.userId === userId ? undefined : folder.carried
    return { put: [{ ...folder, grants, carried }] }
  })
  return tree.get(folderId)!
}

/** The company of a folder. @throws NotFound */
export async function companyOfFolder({ table }: Reading, folderId: FolderId): Promise<CompanyId> {
  const claim = await table.get<FolderClaim>(folderClaimKey(folderId))
  if (!claim) throw new NotFound('folder')
  return claim.companyId
}
