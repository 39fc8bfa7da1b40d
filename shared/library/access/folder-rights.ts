import type { CliqueId, CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import { isAdminOf } from '../accounts/users.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { FULL_RIGHTS, NO_RIGHTS, READ_ALONE, type RightSet, rightSet } from '../tree/rights.ts'
import { type Chains, trashOwner } from '../tree/tree.ts'
import type { Caller } from './caller.ts'
import type { RightsSource } from './rights-sources.ts'
import type { Shares } from './shares.ts'

/** A caller's rights on single folders, each found out once for a version of the tree. `TreeRights` finds out those on all. */
export class FolderRights {
  readonly #caller: Caller
  readonly #known = new WeakMap<Chains, Map<FolderId, RightSet>>()

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Union of what the folder and each folder above it gives. */
  of(tree: Chains, folder: FolderRecord, shares: Shares): RightSet {
    const ofTree = this.#known.get(tree) ?? new Map<FolderId, RightSet>()
    this.#known.set(tree, ofTree)
    const known = ofTree.get(folder.folderId)
    if (known !== undefined) return known
    const parent = tree.chain(folder.folderId)?.[1]
    const inherited = parent ? this.of(tree, parent, shares) : this.everywhere(tree.companyId)
    const own = trashOwner(tree, folder)
    const rights = own === undefined ? inherited | this.#granted(folder, shares) : this.inTrash(own)
    ofTree.set(folder.folderId, rights)
    return rights
  }

  /**
   * What gives the caller rights on a folder, the nearest first: their union is `of`.
   * @param shares what each clique of the caller gives
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

  /** What the caller may do in all folders of the company but others' trashcans. */
  everywhere(companyId: CompanyId): RightSet {
    const caller = this.#caller
    if (caller.kind === 'application') return caller.key.companyId === companyId ? READ_ALONE : NO_RIGHTS
    return isAdminOf(caller.user, companyId) ? FULL_RIGHTS : NO_RIGHTS
  }

  /** A trashcan and all in it is its owner's alone: shares are suspended until it is restored. */
  inTrash(owner: UserId): RightSet {
    return this.#caller.kind === 'user' && this.#caller.user.userId === owner ? FULL_RIGHTS : NO_RIGHTS
  }

  #granted(folder: FolderRecord, shares: Shares): RightSet {
    return this.#grant(folder) | shared(folder, shares)
  }

  #grant(folder: FolderRecord): RightSet {
    return this.#caller.kind === 'application' ? NO_RIGHTS : rightSet(folder.grants[this.#caller.user.userId] ?? [])
  }
}

/** Applications are in no clique. */
const shared = ({ folderId }: FolderRecord, shares: Shares): RightSet => shares.get(folderId) ?? NO_RIGHTS

const present = (sources: readonly RightsSource[]): RightsSource[] => sources.filter(({ rights }) => rights !== NO_RIGHTS)
