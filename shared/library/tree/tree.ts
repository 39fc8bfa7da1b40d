import { type CompanyId, type ContentsId, type FolderId, toContentsId, toFolderId, type UserId } from '../../vocabulary/ids.ts'
import { contentsOf, type FolderRecord, parentContentsId } from './folder.ts'
import { FolderMap } from './folder-map.ts'
import { Layout } from './layout.ts'
import { comparing, type FolderField, sortedAgain } from './ordering.ts'

/** Folders with their ancestors, which determine rights. Other folders may be missing. */
export type Chains = Pick<
  Tree,
  'companyId' | 'version' | 'record' | 'holderOf' | 'get' | 'chain' | 'isWithin' | 'folderOfContents' | 'foldersOfContents'
>

/** The existing folders, ascending, by sort field. */
type SortedFolders = ReadonlyMap<FolderField, readonly FolderRecord[]>

/** Optional inputs of a tree. */
interface TreeOptions {
  isPart?: boolean
  /** Orders of an earlier version, for reuse. */
  sortedBefore?: SortedFolders
  bytes?: number
}

/** The folders of one company at one version, all or some with their ancestors. Immutable: a newer version is a new tree. */
export class Tree {
  readonly companyId: CompanyId
  readonly version: number
  /** Estimate of its memory, in bytes. */
  readonly bytes: number
  /** Whether folders may be missing. */
  readonly isPart: boolean
  readonly #folders: FolderMap
  #byParent: ReadonlyMap<ContentsId | null, FolderRecord[]> | undefined
  #layout: Layout | undefined
  /** Purged folders, and the records of their former contents, by contents id. All other folders have their own id as contents id. */
  #purged: ReadonlyMap<ContentsId, FolderRecord> | undefined
  readonly #chains = new Map<FolderId, readonly FolderRecord[] | null>()
  readonly #sorted = new Map<FolderField, readonly FolderRecord[]>()
  readonly #sortedChildren = new Map<string, readonly FolderRecord[]>()
  /** Orders of an earlier version, for reuse. */
  readonly #sortedBefore: SortedFolders

  /** @param folders each once */
  constructor(
    companyId: CompanyId,
    version: number,
    folders: readonly FolderRecord[] | FolderMap,
    { isPart = false, sortedBefore = new Map(), bytes = bytesOfAll(folders.values()) }: TreeOptions = {},
  ) {
    this.companyId = companyId
    this.version = version
    this.bytes = bytes
    this.isPart = isPart
    this.#folders = folders instanceof FolderMap ? folders : FolderMap.of(folders)
    this.#sortedBefore = sortedBefore
  }

  /** A copy with folders replaced or added, and others removed. */
  with(version: number, put: readonly FolderRecord[], remove: readonly FolderId[] = []): Tree {
    const folders = this.#folders.with(put, remove)
    let { bytes } = this
    for (const id of new Set([...put.map(({ folderId }) => folderId), ...remove])) {
      const [before, after] = [this.#folders.get(id), folders.get(id)]
      bytes += (after ? bytesOf(after) : 0) - (before ? bytesOf(before) : 0)
    }
    const sortedBefore = new Map([...this.#sortedBefore, ...this.#sorted])
    return new Tree(this.companyId, version, folders, { isPart: this.isPart, sortedBefore, bytes })
  }

  /** Number of stored folders, deleted ones too. */
  get size(): number {
    return this.#folders.size
  }

  /** A folder as it is stored, deleted or not. */
  record(id: FolderId): FolderRecord | undefined {
    return this.#folders.get(id)
  }

  /** An existing folder: neither it nor an ancestor is deleted. */
  get(id: FolderId): FolderRecord | undefined {
    return this.chain(id) ? this.#folders.get(id) : undefined
  }

  /** The existing folder with this contents id. */
  folderOfContents(contents: ContentsId): FolderRecord | undefined {
    const folder = this.holderOf(contents)
    return folder && this.get(folder.folderId)
  }

  /** The existing folders with these contents ids. */
  foldersOfContents(contents: readonly ContentsId[]): FolderRecord[] {
    return contents.flatMap((each) => this.folderOfContents(each) ?? [])
  }

  /** The folder and its ancestors, root last. Undefined if one is deleted or missing, or was purged since the folder was moved there. */
  chain(id: FolderId): readonly FolderRecord[] | undefined {
    const known = this.#chains.get(id)
    if (known !== undefined) return known ?? undefined
    const folder = this.#folders.get(id)
    // Not cached: clients may send any number of unknown ids.
    if (!folder) return undefined
    // Marked as unreachable meanwhile, so that a cycle (which no write can make) would end.
    this.#chains.set(id, null)
    if (folder.deleted !== undefined) return undefined
    const above = this.#above(folder)
    if (!above) return undefined
    const chain = [folder, ...above]
    this.#chains.set(id, chain)
    return chain
  }

  /** Whether `id` is `ancestor` or lies below it. */
  isWithin(id: FolderId, ancestor: FolderId): boolean {
    return this.chain(id)?.some((folder) => folder.folderId === ancestor) ?? false
  }

  /** Every existing folder, in no particular order. */
  *all(): Generator<FolderRecord> {
    for (const folder of this.#folders.values()) if (this.chain(folder.folderId)) yield folder
  }

  /** The existing folders as ranges of numbers. Made once. */
  get layout(): Layout {
    this.#layout ??= new Layout(this.#byParent ?? this.#groupByParent(), this.size)
    return this.#layout
  }

  /** Every existing folder, ascending. Sorted once. */
  sortedBy(field: FolderField): readonly FolderRecord[] {
    const sorted = this.#sorted.get(field) ?? sortedAgain(this.layout.folders, this.#sortedBefore.get(field) ?? [], field)
    this.#sorted.set(field, sorted)
    return sorted
  }

  /** The existing subfolders of a folder, or the roots (null), ascending. Sorted once. */
  children(parent: FolderId | null, field: FolderField): readonly FolderRecord[] {
    const known = this.#sortedChildren.get(`${field} ${parent}`)
    if (known) return known
    const children = this.layout.children(parent)?.sort(comparing(field))
    // Not cached for unknown folders.
    if (!children) return []
    this.#sortedChildren.set(`${field} ${parent}`, children)
    return children
  }

  /** The stored records of these folders, deleted ones too. */
  stored(ids: ReadonlySet<FolderId>): FolderRecord[] {
    return [...ids].flatMap((id) => this.#folders.get(id) ?? [])
  }

  /** Every folder that is stored, deleted or not, in no particular order. */
  everyStored(): FolderRecord[] {
    return [...this.#folders.values()]
  }

  /** Contents ids of all folders that are stored, deleted ones too. */
  allContents(): ContentsId[] {
    return Array.from(this.#folders.values(), contentsOf)
  }

  /** Whether a stored folder, deleted or not, has this id or contents id. */
  uses(id: FolderId | ContentsId): boolean {
    return this.#folders.get(toFolderId(id)) !== undefined || this.holderOf(toContentsId(id)) !== undefined
  }

  /** The stored subtree of a folder, deleted or not, for removals. Parents come first. */
  subtree(id: FolderId): FolderRecord[] {
    this.#byParent ??= this.#groupByParent()
    const children = this.#byParent
    const root = this.#folders.get(id)
    const found = root ? [root] : []
    // Pushed one by one: a call takes at most some 100,000 arguments.
    for (let next = 0; next < found.length; next++) for (const child of children.get(contentsOf(found[next]!)) ?? []) found.push(child)
    return found
  }

  /** Folders, deleted ones too, by the contents id of their parent. */
  #groupByParent(): ReadonlyMap<ContentsId | null, FolderRecord[]> {
    return Map.groupBy(this.#folders.values(), parentContentsId)
  }

  #above(folder: FolderRecord): readonly FolderRecord[] | undefined {
    if (folder.parent === null) return []
    const parent = this.#folders.get(folder.parent)
    return parent && contentsOf(parent) === parentContentsId(folder) ? this.chain(folder.parent) : undefined
  }

  /** The stored folder with this contents id, deleted or not. */
  holderOf(contents: ContentsId): FolderRecord | undefined {
    this.#purged ??= new Map(
      this.#folders
        .values()
        .filter((folder) => folder.contents !== undefined)
        .map((folder) => [contentsOf(folder), folder]),
    )
    const folder = this.#purged.get(contents) ?? this.#folders.get(toFolderId(contents))
    return folder && contentsOf(folder) === contents ? folder : undefined
  }
}

/** Memory of a folder without its texts, in bytes. Measured. */
const FOLDER_BYTES = 900

const bytesOfAll = (folders: Iterator<FolderRecord>): number => Iterator.from(folders).reduce((sum, folder) => sum + bytesOf(folder), 0)

function bytesOf({ name, tags, grants }: FolderRecord): number {
  let bytes = FOLDER_BYTES + 2 * name.length
  for (const tag of tags) bytes += 40 + 2 * tag.length
  for (const _ in grants) bytes += 100
  return bytes
}

/** The owner of the trashcan that a folder is or lies in. */
export function trashOwner(tree: Pick<Tree, 'chain'>, folder: FolderRecord): UserId | undefined {
  return tree.chain(folder.folderId)?.find(({ system }) => system === 'trash')?.owner
}

/** Tags of a folder, its own and its ancestors', each once. */
export function inheritedTags(tree: Tree, folderId: FolderId): string[] {
  return [...new Set((tree.chain(folderId) ?? []).flatMap(({ tags }) => tags))]
}
