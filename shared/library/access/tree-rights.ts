import { perObject } from '../../per-object.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import { toUserId, type UserId } from '../../vocabulary/ids.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { FULL_RIGHTS, NO_RIGHTS, READ_ALONE, type RightSet, rightSet } from '../tree/folder.ts'
import type { Range } from '../tree/layout.ts'
import type { Tree } from '../tree/tree.ts'
import type { Shares } from './shares.ts'

/** Sources of a caller's rights in a company, besides the grants in its folders' records. */
export interface RightSources {
  /** Rights on all folders except others' trashcans, for admins and applications. */
  everywhere: RightSet
  /** Undefined for an application. */
  userId: UserId | undefined
  shares: Shares
}

/** Rights on every folder of a tree, ignoring trashcans. Shared by all callers with the same sources. */
export interface OutsideTrash {
  /** Unique among all rights on the same tree. */
  id: number
  /** By the folder's number (tree/layout.ts). */
  rights: Uint8Array
}

/**
 * A caller's rights on every folder of a tree. Results of a walk through all folders are cached by tree and sources: a change of a grant
 * makes another tree, a change of a membership or a share makes other sources.
 */
export class TreeRights {
  readonly tree: Tree
  readonly userId: UserId | undefined
  readonly outside: OutsideTrash

  /** @param within reduces the rights to READ on these folders, by number. Contains no trashcans */
  constructor(tree: Tree, sources: RightSources, within?: Range) {
    this.tree = tree
    this.userId = within ? undefined : sources.userId
    const outside = outsideTrash(tree, sources)
    this.outside = within ? readableIn(outside, within) : outside
  }

  /** Rights on the folder of this number. Only the owner has rights in a trashcan. */
  at(number: number): RightSet {
    const owner = this.tree.layout.trashOwners[number]!
    if (owner === 0) return this.outside.rights[number]!
    return owner === this.userId ? FULL_RIGHTS : NO_RIGHTS
  }

  /** Rights on a folder. None if it doesn't exist. */
  of({ folderId }: Pick<FolderRecord, 'folderId'>): RightSet {
    const number = this.tree.layout.numberOf(folderId)
    return number === undefined ? NO_RIGHTS : this.at(number)
  }
}

/** Cached callers per tree. Each takes a byte per folder, far less than the tree itself. */
const KEPT_CALLERS = 200

const knownOf = perObject((tree: Tree) => ({
  grants: grantsByUser(tree),
  rights: new RecentlyUsed<{ shares: Shares; outside: OutsideTrash }>(KEPT_CALLERS, () => 1),
}))
let lastId = 0

function outsideTrash(tree: Tree, { everywhere, userId, shares }: RightSources): OutsideTrash {
  const { grants, rights } = knownOf(tree)
  const granted = userId === undefined ? undefined : grants.get(userId)
  // Callers without grants and shares share one entry, like most admins of a company.
  const key = granted || shares.size > 0 ? `${everywhere} ${userId}` : `${everywhere}`
  const kept = rights.get(key)
  if (kept && isSame(kept.shares, shares)) return kept.outside
  const outside = { id: ++lastId, rights: new Uint8Array(tree.layout.folders.length).fill(everywhere) }
  for (const [number, right] of granted ?? []) reach(tree, outside, number, right)
  for (const [folderId, right] of shares) {
    const number = tree.layout.numberOf(folderId)
    if (number !== undefined) reach(tree, outside, number, right)
  }
  rights.set(key, { shares, outside })
  return outside
}

function readableIn({ rights }: OutsideTrash, [from, to]: Range): OutsideTrash {
  const left = { id: ++lastId, rights: new Uint8Array(rights.length) }
  for (let at = from; at < to; at++) left.rights[at] = rights[at]! & READ_ALONE
  return left
}

/** Rights on a folder hold for all below it. */
function reach(tree: Tree, { rights }: OutsideTrash, number: number, right: RightSet): void {
  const [from, to] = tree.layout.subtree(number)
  for (let at = from; at < to; at++) rights[at]! |= right
}

/** Rights that folders grant, by user and the folder's number. */
function grantsByUser({ layout }: Tree): ReadonlyMap<UserId, ReadonlyMap<number, RightSet>> {
  const grants = new Map<UserId, Map<number, RightSet>>()
  layout.folders.forEach((folder, number) => {
    for (const id in folder.grants) {
      const userId = toUserId(Number(id))
      const ofUser = grants.get(userId) ?? new Map<number, RightSet>()
      ofUser.set(number, rightSet(folder.grants[id]!))
      grants.set(userId, ofUser)
    }
  })
  return grants
}

function isSame(a: Shares, b: Shares): boolean {
  if (a === b) return true
  if (a.size !== b.size) return false
  for (const [folderId, rights] of a) if (b.get(folderId) !== rights) return false
  return true
}
