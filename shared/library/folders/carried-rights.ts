import type { Access } from '../access/access.ts'
import { type CarriedRights, type FolderRecord, type Right, rightsOf } from '../tree/folder.ts'
import type { Chains } from '../tree/tree.ts'

/** The grants of a folder. */
type Granted = Pick<FolderRecord, 'grants' | 'carried'>

/**
 * The grants of a folder after the caller moves it. A folder at the root inherits no rights, so a move to the root grants the mover the
 * rights that they inherited before. A later move below a parent revokes this grant. In a trashcan only its owner has rights: `carried`
 * keeps what the mover inherited, for a restore to the root.
 * @returns a function that computes the grants from the tree at commit
 */
export async function grantsAfterMove(
  access: Access,
): Promise<(tree: Chains, folder: FolderRecord, parent: FolderRecord | undefined) => Granted> {
  const lossOf = await access.lossAtRoot()
  const carriedBy = (tree: Chains, folder: FolderRecord): CarriedRights | undefined => {
    const rights = rightsOf(lossOf(tree, folder))
    return access.caller.kind === 'user' && rights.length > 0 ? { userId: access.caller.user.userId, rights } : undefined
  }
  return (tree, folder, parent) => {
    const from = folder.parent === null ? undefined : tree.get(folder.parent)
    if (parent?.system === 'trash') return { grants: folder.grants, carried: from ? carriedBy(tree, folder) : folder.carried }
    if (parent) return { grants: withoutRights(folder.grants, folder.carried), carried: undefined }
    const carried = from?.system === 'trash' ? folder.carried : carriedBy(tree, folder)
    return { grants: withRights(folder.grants, carried), carried }
  }
}

function withRights(grants: FolderRecord['grants'], carried: CarriedRights | undefined): FolderRecord['grants'] {
  return carried ? withGrant(grants, carried, [...new Set([...(grants[carried.userId] ?? []), ...carried.rights])]) : grants
}

function withoutRights(grants: FolderRecord['grants'], carried: CarriedRights | undefined): FolderRecord['grants'] {
  const granted = carried && grants[carried.userId]
  return granted
    ? withGrant(
        grants,
        carried,
        granted.filter((right) => !carried.rights.includes(right)),
      )
    : grants
}

function withGrant(grants: FolderRecord['grants'], { userId }: CarriedRights, rights: Right[]): FolderRecord['grants'] {
  const { [userId]: _, ...others } = grants
  return rights.length > 0 ? { ...others, [userId]: rights } : others
}
