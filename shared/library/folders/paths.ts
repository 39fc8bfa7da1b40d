import { type CompanyId, type FolderId, toFolderId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import type { FolderRecord } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'
import { loadTree } from '../tree/tree-store.ts'
import { folderNamed } from './ensure-folder.ts'

/** Names of folders as one path: `/` between them. A backslash precedes `/` and `\` in a name. */
export const folderPath = (names: readonly string[]): string => names.map((name) => name.replaceAll(/[/\\]/g, '\\$&')).join('/')

/** The names in a path, root first. Empty names are left out. */
export function folderNames(path: string): string[] {
  const names = ['']
  for (const [, escaped, plain = ''] of path.matchAll(/\\([/\\])|([\s\S])/gu)) {
    if (plain === '/') names.push('')
    else names.push(`${names.pop()}${escaped ?? plain}`)
  }
  return names.map((name) => name.trim().normalize('NFC')).filter(Boolean)
}

/** The folder with this id or path. */
export function findFolder(tree: Tree, given: string): FolderRecord | undefined {
  const byId = /^[1-9]\d{0,9}$/.test(given) ? tree.get(toFolderId(Number(given))) : undefined
  if (byId) return byId
  let found: FolderRecord | undefined
  for (const name of folderNames(given)) {
    found = folderNamed(tree, { name, parent: found?.folderId ?? null })
    if (!found) return undefined
  }
  return found
}

/** Names of a folder and its ancestors, root first. */
export const namesOf = (tree: Tree, folderId: FolderId): string[] => (tree.chain(folderId) ?? []).map(({ name }) => name).toReversed()

/** The names of a folder and its ancestors, root first, by its id or path. The folder of a path need not exist. */
export async function baseNames(library: Reading, companyId: CompanyId, given: string | undefined): Promise<string[]> {
  if (given === undefined) return []
  const tree = await loadTree(library, companyId)
  const found = findFolder(tree, given)
  return found ? namesOf(tree, found.folderId) : folderNames(given)
}
