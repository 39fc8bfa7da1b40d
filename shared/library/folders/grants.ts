import type { CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { knownUser } from '../access/people.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { type FolderClaim, type FolderRecord, folderClaimKey, type Right, rights } from '../tree/folder.ts'
import { changeFolders } from '../tree/tree-store.ts'

/** Most users to whom one folder grants rights: its record is read with the tree. Cliques are for more. */
export const MAX_GRANTS = 1_000

/**
 * Sets the rights that a folder itself grants to a user of its company; none takes the grant away. Needs ADMIN on the folder.
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
 * Sets the rights that a folder itself grants to a user; none takes the grant away. They reach everything below the folder.
 * @param next computes the rights from those granted so far, on the folder as it is when the change commits
 * @throws NotFound for an unknown folder, Invalid for too many grants, Forbidden for a trashcan or what lies in one: that is its owner's alone
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
    // What somebody grants stays, wherever the folder moves.
    const carried = folder.carried?.userId === userId ? undefined : folder.carried
    return { put: [{ ...folder, grants, carried }] }
  })
  return tree.get(folderId)!
}

/** Which company a folder belongs to. @throws NotFound */
export async function companyOfFolder({ table }: Reading, folderId: FolderId): Promise<CompanyId> {
  const claim = await table.get<FolderClaim>(folderClaimKey(folderId))
  if (!claim) throw new NotFound('folder')
  return claim.companyId
}
