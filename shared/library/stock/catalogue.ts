import { CATALOGUE, type FolderId } from '../../vocabulary/ids.ts'
import { type CompanyRecord, companyKey } from '../accounts/companies.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { claimId, type FolderRecord, newFolder } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'
import { changeTree, loadTree } from '../tree/tree-store.ts'

const NAME = 'Stock catalogue'

/**
 * The folder that holds all items of the stock catalogue. The first call creates it, and the record of the catalogue's company. That
 * company has no members and is in no list of companies.
 */
export async function openCatalogue(library: Writing): Promise<FolderRecord> {
  const known = itemsFolder(await loadTree(library, CATALOGUE))
  if (known) return known
  const { clock, by } = library
  const created = clock.now()
  const company: CompanyRecord = { ...companyKey(CATALOGUE), companyId: CATALOGUE, name: NAME, created, streaming: false, stock: false, by }
  const tree = await withFreshId((folderId: FolderId) =>
    changeTree(library, CATALOGUE, (current) => {
      if (itemsFolder(current)) return undefined
      const folder = newFolder(folderId, { companyId: CATALOGUE, name: NAME, parent: null, created })
      return { put: [folder], also: { claim: claimId(CATALOGUE, folderId), company: { put: company } } }
    }),
  )
  return itemsFolder(tree)!
}

const itemsFolder = (tree: Tree): FolderRecord | undefined => tree.all().toArray()[0]
