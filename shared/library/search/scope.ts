import type { FolderScope } from '../../backends/search/port.ts'
import type { Access } from '../access/access.ts'
import { holds } from '../access/rights.ts'
import { contentsOf, type FolderRecord } from '../folders/folder.ts'
import { trashOwner } from '../folders/trash-owner.ts'
import type { Tree } from '../folders/tree.ts'

/** Which folders of a company a search covers: those that the caller may READ, and of these the ones asked for. */
export interface SearchScope {
  companyId: number
  tree: Tree
  /** Ids of the folders, by their contents ids: the ids that files and engines know. */
  folders: ReadonlyMap<number, number>
  /** The same of all folders that a file is shown to lie in and to inherit tags from: these, and what the caller may READ outside of trashcans. */
  shown: ReadonlyMap<number, number>
  /** The same as engines take it. */
  scope: FolderScope
}

/**
 * Resolves the scope of a search in one company. Folders that the caller may not READ are left out without a word. Trashcans are left
 * out unless a folder in one is asked for (decision 20).
 */
export async function searchScope(
  access: Access,
  companyId: number,
  asked: { folderIds?: readonly number[]; recursive: boolean },
): Promise<SearchScope> {
  const tree = await access.tree(companyId)
  const visible = await access.visibleFolders(companyId)
  const readable = new Map(visible.filter(({ rights }) => holds(rights, 'READ')).map(({ record }) => [record.folderId, record]))
  const usual = byContents([...readable.values()].filter((folder) => trashOwner(tree, folder) === undefined))
  if (!asked.folderIds) return { companyId, tree, folders: usual, shown: usual, scope: smallest(tree, usual) }
  const reached = asked.recursive ? asked.folderIds.flatMap((id) => subtreeIds(tree, id)) : asked.folderIds
  const folders = byContents(reached.flatMap((id) => readable.get(id) ?? []))
  return { companyId, tree, folders, shown: new Map([...usual, ...folders]), scope: { only: [...folders.keys()] } }
}

function subtreeIds(tree: Tree, folderId: number): number[] {
  return tree.subtree(folderId).map((folder) => folder.folderId)
}

function byContents(folders: readonly FolderRecord[]): ReadonlyMap<number, number> {
  return new Map(folders.map((folder) => [contentsOf(folder), folder.folderId]))
}

/** An admin reads nearly everything: naming the few other folders is less work for the engine. */
function smallest(tree: Tree, folders: ReadonlyMap<number, number>): FolderScope {
  const others = tree.allContents().filter((contents) => !folders.has(contents))
  return others.length < folders.size ? { except: others } : { only: [...folders.keys()] }
}
