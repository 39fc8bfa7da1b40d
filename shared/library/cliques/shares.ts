import type { Table, TableReader } from '../../backends/table/port.ts'
import type { Access } from '../access/access.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import type { Right } from '../tree/rights.ts'
import { trashOwner } from '../tree/tree.ts'
import { changeCliqueRecord, managedClique } from './clique.ts'
import { cliquesOfCompany } from './cliques.ts'

/** Most folders that one clique shares: all shares are one item, read with every request of each member. */
export const MAX_SHARES = 2_000
/** Records read at once: each may hold `MAX_SHARES`. */
const CLIQUES_AT_ONCE = 20

/** A folder that is shared with a clique, and what that gives its members there and in everything below it. */
export interface Share {
  cliqueId: number
  folderId: number
  rights: readonly Right[]
}

/**
 * Shares a folder with a clique; another share of the same folder is replaced. WRITE does not imply READ.
 * @throws NotFound, Forbidden for a trashcan and what lies in it, Invalid for a folder of another company and for too many
 */
export async function shareFolder(
  table: Table,
  access: Access,
  { cliqueId, folderId }: Pick<Share, 'cliqueId' | 'folderId'>,
  rights: Right[],
): Promise<Share> {
  const { companyId } = await managedClique(table, access, cliqueId)
  const { record: folder } = await access.folder(folderId)
  if (folder.companyId !== companyId) throw new Invalid({ path: 'folderId', message: 'is a folder of another company' })
  if (trashOwner(await access.tree(companyId), folder) !== undefined) {
    throw new Forbidden("A trashcan is its owner's alone: it cannot be shared.")
  }
  await changeCliqueRecord(table, cliqueId, ({ shares }) => {
    const next = { ...shares, [folderId]: rights }
    if (Object.keys(next).length > MAX_SHARES) {
      throw new Invalid({ path: '', message: `At most ${MAX_SHARES} folders can be shared with a clique.` })
    }
    return { changes: { shares: next } }
  })
  return { cliqueId, folderId, rights }
}

/** Ends the sharing of a folder, which may be gone already. @throws NotFound, Forbidden */
export async function unshareFolder(table: Table, access: Access, cliqueId: number, folderId: number): Promise<void> {
  await managedClique(table, access, cliqueId)
  await changeCliqueRecord(table, cliqueId, ({ shares }) => {
    if (!shares[folderId]) throw new NotFound('shared folder')
    return { changes: { shares: without(shares, new Set([folderId])) } }
  })
}

/** The folders that a clique shares, by id, without those that are deleted or lie in a trashcan. @throws NotFound, Forbidden */
export async function listShares(table: TableReader, access: Access, cliqueId: number): Promise<Share[]> {
  const { companyId, shares } = await managedClique(table, access, cliqueId)
  const tree = await access.tree(companyId)
  return Object.entries(shares)
    .map(([id, rights]) => ({ cliqueId, folderId: Number(id), rights }))
    .filter(({ folderId }) => {
      const folder = tree.get(folderId)
      return folder && trashOwner(tree, folder) === undefined
    })
    .sort((a, b) => a.folderId - b.folderId)
}

/** Takes the shares of folders that are removed for good out of the company's cliques. Repeating it is fine. */
export async function forgetShares({ table }: { table: Table }, companyId: number, folderIds: readonly number[]): Promise<void> {
  const gone = new Set(folderIds)
  const holding = ({ shares }: CliqueRecord) => Object.keys(shares).some((id) => gone.has(Number(id)))
  let batch: number[] = []
  const forget = async () => {
    for (const clique of await table.getMany<CliqueRecord>(batch.map(cliqueKey))) {
      if (holding(clique)) await forgetIn(table, clique.cliqueId, gone)
    }
    batch = []
  }
  for await (const { cliqueId } of cliquesOfCompany(table, companyId)) {
    batch.push(cliqueId)
    if (batch.length === CLIQUES_AT_ONCE) await forget()
  }
  await forget()
}

/** A clique that is deleted meanwhile has no shares any more. */
async function forgetIn(table: Table, cliqueId: number, gone: ReadonlySet<number>): Promise<void> {
  try {
    await changeCliqueRecord(table, cliqueId, ({ shares }) => ({ changes: { shares: without(shares, gone) } }))
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}

function without(shares: CliqueRecord['shares'], gone: ReadonlySet<number>): CliqueRecord['shares'] {
  return Object.fromEntries(Object.entries(shares).filter(([id]) => !gone.has(Number(id))))
}
