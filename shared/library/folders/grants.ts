import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import { Forbidden, NotFound } from '../errors.ts'
import { type FolderRecord, folderClaimKey } from '../tree/folder.ts'
import type { Right } from '../tree/rights.ts'
import { rights } from '../tree/rights.ts'
import { changeTree } from '../tree/tree-store.ts'

/**
 * Sets the rights that a folder itself grants to a user; none takes the grant away. They reach everything below the folder.
 * @param next computes the rights from those granted so far, on the folder as it is when the change commits
 * @throws NotFound for an unknown folder, Forbidden for a trashcan or what lies in one: that is its owner's alone
 */
export async function setGrants(
  { table, clock }: { table: Table; clock: Clock },
  { folderId, userId }: { folderId: number; userId: number },
  next: (granted: readonly Right[]) => readonly Right[],
): Promise<FolderRecord> {
  const companyId = await companyOfFolder(table, folderId)
  const tree = await changeTree(table, clock, companyId, (current) => {
    const chain = current.chain(folderId)
    const folder = chain?.[0]
    if (!chain || !folder) throw new NotFound('folder')
    if (chain.some(({ system }) => system === 'trash')) throw new Forbidden("A trashcan is its owner's alone: it cannot be shared.")
    const wanted = next(folder.grants[userId] ?? [])
    const { [userId]: _, ...others } = folder.grants
    const granted = rights.filter((right) => wanted.includes(right))
    return { put: [{ ...folder, grants: granted.length > 0 ? { ...others, [userId]: granted } : others }] }
  })
  return tree.get(folderId)!
}

/** Which company a folder belongs to. @throws NotFound */
export async function companyOfFolder(table: Pick<Table, 'get'>, folderId: number): Promise<number> {
  const claim = await table.get<Key & { companyId: number }>(folderClaimKey(folderId))
  if (!claim) throw new NotFound('folder')
  return claim.companyId
}
