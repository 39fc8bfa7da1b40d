import type { FolderScope } from '../../backends/search/port.ts'
import { perObject } from '../../per-object.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import { filenameKey } from '../../vocabulary/filename-key.ts'
import type { CompanyId, ContentsId, FolderId } from '../../vocabulary/ids.ts'
import type { ParsedTerm } from '../../vocabulary/parse-query.ts'
import type { Access } from '../access/access.ts'
import type { TreeRights } from '../access/tree-rights.ts'
import { contentsOf, holds } from '../tree/folder.ts'
import { contentsIn, covers, type Range } from '../tree/layout.ts'
import type { Tree } from '../tree/tree.ts'
import { TaggedFolders } from './tagged-folders.ts'

/**
 * Resolves the scope of a search in one company. Silently leaves out folders that the caller may not READ, and trashcans unless a folder in
 * one is requested.
 */
export async function searchScope(
  { access }: { access: Access },
  companyId: CompanyId,
  { folderIds, recursive }: { folderIds?: readonly FolderId[]; recursive: boolean },
): Promise<SearchScope> {
  const rights = await access.rightsOnAll(companyId)
  return new SearchScope(companyId, rights, folderIds && rights.tree.layout.ranges(folderIds, recursive))
}

/**
 * The folders of a company that a search covers: the requested ones that the caller may READ. Lists of folders are cached per tree, so the
 * cost of a search doesn't depend on the number of folders.
 */
export class SearchScope {
  /** The scope for engines. */
  readonly scope: FolderScope
  readonly companyId: CompanyId
  readonly #rights: TreeRights
  readonly #asked: readonly Range[] | undefined

  /** @param asked requested folders; by default all outside of trashcans */
  constructor(companyId: CompanyId, rights: TreeRights, asked: readonly Range[] | undefined) {
    this.companyId = companyId
    this.#rights = rights
    this.#asked = asked
    const { scopes } = keptOf(rights.tree)
    this.scope = asked
      ? this.#kept(scopes, `${rights.userId} asks for ${asked.join()}`, () => this.#smallest(asked, (number) => this.#mayRead(number)))
      : this.#kept(scopes, 'usual', () => this.#smallest([[0, rights.tree.layout.folders.length]], (number) => this.isUsual(number)))
  }

  get tree(): Tree {
    return this.#rights.tree
  }

  /** Id of the folder with these contents, if the search covers it. */
  searched(contents: ContentsId): FolderId | undefined {
    return this.#folderWith(contents, (number) => (this.#asked ? covers(this.#asked, number) : this.isUsual(number)))
  }

  /** Whether the search covers a file that is in these folders. */
  contains(folders: readonly ContentsId[]): boolean {
    return folders.some((contents) => this.searched(contents) !== undefined)
  }

  /** Id of the folder with these contents, if answers may show it and its tags: the search covers it, or it is outside of trashcans. */
  shown(contents: ContentsId): FolderId | undefined {
    return this.#folderWith(contents, (number) => this.isUsual(number) || covers(this.#asked ?? [], number))
  }

  /** Contents ids of shown folders whose own or inherited tags a term matches. */
  foldersTagged(term: ParsedTerm): readonly number[] {
    const { tagged, lists } = keptOf(this.tree)
    const tags = tagged.matching(term)
    if (tags.length === 0) return []
    const usual = this.#kept(lists, tags.join(), () =>
      contentsIn(this.tree.layout, tagged.foldersWith(tags), (number) => this.isUsual(number)),
    )
    const inTrash = this.#askedInTrash()
    if (inTrash.length === 0) return usual
    const ranges = tagged.foldersWith(tags)
    return [...usual, ...contentsIn(this.tree.layout, inTrash, (number) => this.#mayRead(number) && covers(ranges, number))]
  }

  /** Contents ids of shown folders, ordered by name. A 0 ends each group of equal names. */
  foldersByName(): readonly number[] {
    const inTrash = this.#askedInTrash()
    const { lists } = keptOf(this.tree)
    return this.#kept(lists, inTrash.length === 0 ? 'names' : `names of ${this.#rights.userId} in ${inTrash.join()}`, () => {
      const { folders } = this.tree.layout
      const shown = folders.filter((_, number) => this.isUsual(number) || (this.#mayRead(number) && covers(inTrash, number)))
      const keyed = shown.map((folder) => ({ contents: contentsOf(folder), key: Buffer.from(filenameKey(folder.name)) }))
      keyed.sort((a, b) => Buffer.compare(a.key, b.key))
      return keyed.flatMap(({ contents, key }, n) => (keyed[n + 1]?.key.equals(key) ? [contents] : [contents, 0]))
    })
  }

  #askedInTrash(): readonly Range[] {
    const { trashOwners } = this.tree.layout
    return this.#asked?.filter(([from]) => trashOwners[from] !== 0) ?? []
  }

  #folderWith(contents: ContentsId, fits: (number: number) => boolean): FolderId | undefined {
    const folder = this.tree.folderOfContents(contents)
    const number = folder && this.tree.layout.numberOf(folder.folderId)
    return number !== undefined && this.#mayRead(number) && fits(number) ? folder?.folderId : undefined
  }

  #mayRead(number: number): boolean {
    return holds(this.#rights.at(number), 'READ')
  }

  /** Whether a search without given folders covers the folder with this number (tree/layout.ts). */
  isUsual(number: number): boolean {
    return this.tree.layout.trashOwners[number] === 0 && this.#mayRead(number)
  }

  /** Lists the excluded folders if that is shorter: an admin may READ nearly all, and a short list is less work for the engine. */
  #smallest(ranges: readonly Range[], fits: (number: number) => boolean): FolderScope {
    const only = contentsIn(this.tree.layout, ranges, fits)
    const stored = this.tree.allContents()
    if (only.length <= stored.length / 2) return { only }
    const those = new Set(only)
    return { except: stored.filter((contents) => !those.has(contents)) }
  }

  /** Cached for all users with the same rights. */
  #kept<Made>(kept: RecentlyUsed<Made>, what: string, make: () => Made): Made {
    const key = `${this.#rights.outside.id} ${what}`
    const known = kept.get(key)
    if (known) return known
    const made = make()
    kept.set(key, made)
    return made
  }
}

/** Ids in all cached lists of a tree, as a multiple of its folders. The lists take about as much memory as the tree. */
const KEPT_IDS = 20

interface KeptOfTree {
  tagged: TaggedFolders
  scopes: RecentlyUsed<FolderScope>
  lists: RecentlyUsed<readonly number[]>
}

const keptOf = perObject((tree: Tree): KeptOfTree => {
  const capacity = KEPT_IDS * (100 + tree.layout.folders.length)
  return {
    tagged: new TaggedFolders(tree),
    scopes: new RecentlyUsed<FolderScope>(capacity, (scope, key) => weight('only' in scope ? scope.only : scope.except, key)),
    lists: new RecentlyUsed<readonly number[]>(capacity, weight),
  }
})

/** Memory of a list, in ids. The key counts too: it names the requested folders, maybe thousands, even if none can be read. */
function weight(list: readonly number[], key: string): number {
  return 10 + list.length + key.length / 8
}
