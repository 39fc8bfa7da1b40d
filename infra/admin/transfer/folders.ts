import { Name } from '../../../shared/http/declaration/fields.ts'
import { ensureFolder, folderNamed } from '../../../shared/library/folders/ensure-folder.ts'
import type { Reading, Writing } from '../../../shared/library/library.ts'
import type { FolderRecord } from '../../../shared/library/tree/folder.ts'
import type { Tree } from '../../../shared/library/tree/tree.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { type CompanyId, type FolderId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import { folderNames } from './folder-path.ts'

/** The folder of a company that an id or a path names. */
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

/** Names of a folder and of those above it, of the top first. */
export const namesOf = (tree: Tree, folderId: FolderId): string[] => (tree.chain(folderId) ?? []).map(({ name }) => name).toReversed()

/** The names of the folder that an id or a path names, which need not be there where it is a path. */
export async function baseNames(library: Reading, companyId: CompanyId, given: string | undefined): Promise<string[]> {
  if (given === undefined) return []
  const tree = await loadTree(library, companyId)
  const found = findFolder(tree, given)
  return found ? namesOf(tree, found.folderId) : folderNames(given)
}

/** @throws Error where one can't be a folder's */
export function checkNames(names: readonly string[]): readonly string[] {
  const problem = names.map((name) => Name.safeParse(name).error?.issues[0]?.message).find(Boolean)
  if (problem !== undefined) throw new Error(`The name of a folder ${problem}.`)
  return names
}

/** Finds and makes folders of a company by their names. Each is looked for once. */
export class Folders {
  readonly #library: Writing
  readonly #companyId: CompanyId
  readonly #known = new Map<string, Promise<FolderRecord>>()
  readonly #placed = new Set<FolderId>()

  constructor(library: Writing, companyId: CompanyId) {
    this.#library = library
    this.#companyId = companyId
  }

  /** The folder of these names, of the top first. @throws Invalid, Conflict */
  at(names: readonly string[]): Promise<FolderRecord> {
    const key = JSON.stringify(names)
    const known = this.#known.get(key) ?? this.#ensure(names)
    this.#known.set(key, known)
    return known
  }

  /**
   * A folder in another one: each call gives another one, also where their names are equal.
   * @param how its id, and UNIX milliseconds, where it is made
   * @throws Invalid, Conflict
   */
  async place(name: string, parent: FolderId | null, how: { folderId?: FolderId; created: number }): Promise<FolderRecord> {
    const wanted = { companyId: this.#companyId, name, parent, apart: this.#placed, ...how }
    const folder = await ensureFolder(this.#library, wanted)
    this.#placed.add(folder.folderId)
    return folder
  }

  async #ensure(names: readonly string[]): Promise<FolderRecord> {
    const parent = names.length > 1 ? (await this.at(names.slice(0, -1))).folderId : null
    return ensureFolder(this.#library, { companyId: this.#companyId, name: names.at(-1)!, parent })
  }
}
