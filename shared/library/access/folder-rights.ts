import type { CliqueId, CompanyId, UserId } from '../../vocabulary/ids.ts'
import { isAdminOf } from '../accounts/users.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { FULL_RIGHTS, holds, NO_RIGHTS, READ_ALONE, type Right, type RightSet, rightSet } from '../tree/folder.ts'
import { type Chains, trashOwner } from '../tree/tree.ts'
import type { Caller } from './caller.ts'
import type { RightsSource } from './rights-sources.ts'
import type { Shares } from './shares.ts'

/** A caller's rights on single folders. `TreeRights` computes those on all. */
export class FolderRights {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Union of the rights that the folder and its ancestors give, reduced to what the request's share link allows. */
  of(tree: Chains, folder: FolderRecord, shares: Shares): RightSet {
    const rights = this.#union(tree, folder, shares)
    const opened = this.#caller.kind === 'user' ? this.#caller.opened : undefined
    if (!opened || rights === NO_RIGHTS) return rights
    if (trashOwner(tree, folder) !== undefined) return NO_RIGHTS
    const { folderId, takesUploads } = opened
    const chain = tree.chain(folder.folderId) ?? []
    if (folderId !== undefined && !chain.some((above) => above.folderId === folderId)) return NO_RIGHTS
    const given: Right[] = takesUploads && folder.folderId === folderId ? ['READ', 'UPLOAD'] : ['READ']
    return rightSet(given.filter((right) => holds(rights, right)))
  }

  #union(tree: Chains, folder: FolderRecord, shares: Shares): RightSet {
    const owner = trashOwner(tree, folder)
    if (owner !== undefined) return this.inTrash(owner)
    const chain = tree.chain(folder.folderId) ?? [folder]
    return chain.reduce((rights, above) => rights | this.#granted(above, shares), this.everywhere(tree.companyId))
  }

  /**
   * The inherited rights that a user loses when a folder moves to the root. Trashcans among its ancestors give none; rights that the other
   * ancestors carry count. Admins lose nothing.
   */
  lostAtRoot(tree: Chains, folder: FolderRecord, shares: Shares): RightSet {
    if (this.everywhere(tree.companyId) !== NO_RIGHTS) return NO_RIGHTS
    const [, ...above] = tree.chain(folder.folderId) ?? []
    const given = above.filter(({ system }) => system !== 'trash').map((each) => this.#granted(each, shares) | this.#carried(each))
    return given.reduce((rights, each) => rights | each, NO_RIGHTS) & ~this.#granted(folder, shares)
  }

  /**
   * Sources of the caller's rights on a folder, nearest first. Their union is `of`.
   * @param shares by the caller's cliques
   */
  sources(tree: Chains, folder: FolderRecord, shares: ReadonlyMap<CliqueId, Shares>): RightsSource[] {
    const chain = tree.chain(folder.folderId) ?? []
    const trashcan = chain.find(({ system }) => system === 'trash')
    if (trashcan?.owner !== undefined) return present([{ how: 'grant', folderId: trashcan.folderId, rights: this.inTrash(trashcan.owner) }])
    return present([
      ...chain.flatMap((each): RightsSource[] => [
        { how: 'grant', folderId: each.folderId, rights: this.#grant(each) },
        ...[...shares].map(([cliqueId, given]) => ({
          how: 'clique' as const,
          folderId: each.folderId,
          cliqueId,
          rights: shared(each, given),
        })),
      ]),
      { how: 'admin', rights: this.everywhere(tree.companyId) },
    ])
  }

  /** Rights on all folders of the company except others' trashcans. */
  everywhere(companyId: CompanyId): RightSet {
    const caller = this.#caller
    if (caller.kind === 'application') return caller.key.companyId === companyId ? READ_ALONE : NO_RIGHTS
    return isAdminOf(caller.user, companyId) ? FULL_RIGHTS : NO_RIGHTS
  }

  /** Only the owner has rights in a trashcan. Shares are suspended until the folder is restored. */
  inTrash(owner: UserId): RightSet {
    return this.#caller.kind === 'user' && this.#caller.user.userId === owner ? FULL_RIGHTS : NO_RIGHTS
  }

  #granted(folder: FolderRecord, shares: Shares): RightSet {
    return this.#grant(folder) | shared(folder, shares)
  }

  #carried({ carried }: FolderRecord): RightSet {
    const isCarrier = this.#caller.kind === 'user' && carried?.userId === this.#caller.user.userId
    return isCarrier ? rightSet(carried.rights) : NO_RIGHTS
  }

  #grant(folder: FolderRecord): RightSet {
    return this.#caller.kind === 'application' ? NO_RIGHTS : rightSet(folder.grants[this.#caller.user.userId] ?? [])
  }
}

/** No rights for applications: they are in no clique. */
const shared = ({ folderId }: FolderRecord, shares: Shares): RightSet => shares.get(folderId) ?? NO_RIGHTS

const present = (sources: readonly RightsSource[]): RightsSource[] => sources.filter(({ rights }) => rights !== NO_RIGHTS)
