import { type CliqueId, type CompanyId, type FolderId, toFolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import type { Right } from '../tree/folder.ts'
import { trashOwner } from '../tree/tree.ts'
import { changeCliqueRecord, managedClique } from './clique.ts'
import { cliquesOfCompany } from './cliques.ts'

/** Most folders that one clique shares: all shares are one item, read with every request of each member. */
export const MAX_SHARES = 2_000
/** Records per read: each may hold `MAX_SHARES`. */
const CLIQUES_AT_ONCE = 20

/** A folder that is shared with a clique. Members get the rights on it and on everything below. */
export interface Share {
  cliqueId: CliqueId
  folderId: FolderId
  rights: readonly Right[]
}

/**
 * Shares a folder with a clique. Replaces an earlier share of the same folder. WRITE does not imply READ.
 * @throws NotFound, Forbidden for a trashcan and its contents, Invalid for a folder of another company and for too many
 */
export async function shareFolder(library: AuthorizedWriting, cliqueId: CliqueId, folderId: FolderId, rights: Right[]): Promise<Share> {
  const { access } = library
  const { companyId } = await managedClique(library, cliqueId)
  const { record: folder } = await access.folder(folderId)
  if (folder.companyId !== companyId) throw new Invalid({ path: 'folderId', message: 'is a folder of another company' })
  if (trashOwner(await access.chains(companyId, { folderIds: [folderId] }), folder) !== undefined) {
    throw new Forbidden("A trashcan is its owner's alone: it cannot be shared.")
  }
  await setShare(library, cliqueId, folderId, () => rights)
  return { cliqueId, folderId, rights }
}

/**
 * Sets the rights of a clique on a folder of its company.
 * @param next computes them from the current ones
 * @throws NotFound, Invalid for too many shares
 */
export async function setShare(
  library: Writing,
  cliqueId: CliqueId,
  folderId: FolderId,
  next: (shared: readonly Right[]) => Right[],
): Promise<void> {
  await changeCliqueRecord(library, cliqueId, ({ shares }) => {
    const all = { ...shares, [folderId]: next(shares[folderId] ?? []) }
    if (Object.keys(all).length > MAX_SHARES) {
      throw new Invalid({ path: '', message: `At most ${MAX_SHARES} folders can be shared with a clique.` })
    }
    return { changes: { shares: all } }
  })
}

/** Ends the sharing of a folder, which may be gone already. @throws NotFound, Forbidden */
export async function unshareFolder(library: AuthorizedWriting, cliqueId: CliqueId, folderId: FolderId): Promise<void> {
  await managedClique(library, cliqueId)
  await changeCliqueRecord(library, cliqueId, ({ shares }) => {
    if (!shares[folderId]) throw new NotFound('shared folder')
    return { changes: { shares: without(shares, new Set([folderId])) } }
  })
}

/** The folders that a clique shares, sorted by id, without deleted and trashed ones. @throws NotFound, Forbidden */
export async function listShares(library: AuthorizedReading, cliqueId: CliqueId): Promise<Share[]> {
  const { companyId, shares } = await managedClique(library, cliqueId)
  const tree = await library.access.tree(companyId)
  return Object.entries(shares)
    .map(([id, rights]) => ({ cliqueId, folderId: toFolderId(Number(id)), rights }))
    .filter(({ folderId }) => {
      const folder = tree.get(folderId)
      return folder && trashOwner(tree, folder) === undefined
    })
    .sort((a, b) => a.folderId - b.folderId)
}

/** Removes the shares of deleted folders from the company's cliques. Idempotent. */
export async function forgetShares(library: Writing, companyId: CompanyId, folderIds: readonly FolderId[]): Promise<void> {
  const gone = new Set(folderIds)
  const holding = ({ shares }: CliqueRecord) => Object.keys(shares).some((id) => gone.has(toFolderId(Number(id))))
  let batch: CliqueId[] = []
  const forget = async () => {
    for (const clique of await library.table.getMany<CliqueRecord>(batch.map(cliqueKey))) {
      if (holding(clique)) await forgetIn(library, clique.cliqueId, gone)
    }
    batch = []
  }
  for await (const { cliqueId } of cliquesOfCompany(library, companyId)) {
    batch.push(cliqueId)
    if (batch.length === CLIQUES_AT_ONCE) await forget()
  }
  await forget()
}

/** Ignores a clique that is deleted meanwhile, and with it its shares. */
async function forgetIn(library: Writing, cliqueId: CliqueId, gone: ReadonlySet<FolderId>): Promise<void> {
  try {
    await changeCliqueRecord(library, cliqueId, ({ shares }) => ({ changes: { shares: without(shares, gone) } }))
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}

function without(shares: CliqueRecord['shares'], gone: ReadonlySet<FolderId>): CliqueRecord['shares'] {
  return Object.fromEntries(Object.entries(shares).filter(([id]) => !gone.has(toFolderId(Number(id)))))
}
