import { type CompanyId, type ContentsId, type FolderId, toContentsId, toFolderId, type UserId } from '../../vocabulary/ids.ts'
import { contentsOf, type FolderRecord, hangsOn } from './folder.ts'
import { FolderMap } from './folder-map.ts'
import { Layout } from './layout.ts'
import { comparing, type FolderField, SortedFolders } from './ordering.ts'

/**
 * Folders, with all above them: what it takes to know who may do what in them. It may know nothing of folders that it wasn't made for.
 */
export type Chains = Pick<
  Tree,
  'companyId' | 'version' | 'record' | 'holderOf' | 'get' | 'chain' | 'isWithin' | 'folderOfContents' | 'foldersOfContents'
>

/** What else is known when a tree is made. */
interface TreeOptions {
  isPart?: boolean
  /** As far as an earlier version was sorted. */
  sortedBefore?: ReadonlyMap<FolderField, SortedFolders>
  earlier?: EarlierLayout | undefined
  bytes?: number
}

/** The layout of an earlier version, and what has changed since. */
interface EarlierLayout {
  layout: Layout
  /** Whether it had every folder that was stored. */
  isAll: boolean
  put: ReadonlyMap<FolderId, FolderRecord>
}

/** After more changes a layout is made anew. */
const MOST_CHANGES = 100

/** All folders of one company at one version, or some of them with all above them. Never changed: a newer version is a new tree. */
export class Tree {
  readonly companyId: CompanyId
  readonly version: number
  /** About how many bytes of memory it takes. */
  readonly bytes: number
  /** Whether it may lack folders. */
  readonly isPart: boolean
  readonly #folders: FolderMap
  #hanging: ReadonlyMap<ContentsId | null, FolderRecord[]> | undefined
  #layout: Layout | undefined
  #earlier: EarlierLayout | undefined
  /** Folders that were purged, and the records that keep their earlier contents, by contents id. All others have their own id as contents id. */
  #purged: ReadonlyMap<ContentsId, FolderRecord> | undefined
  readonly #chains = new Map<FolderId, readonly FolderRecord[] | null>()
  readonly #sorted = new Map<FolderField, SortedFolders>()
  readonly #sortedChildren = new Map<string, readonly FolderRecord[]>()
  /** As far as an earlier version was sorted: to begin with. */
  readonly #sortedBefore: ReadonlyMap<FolderField, SortedFolders>

  /** @param folders each once */
  constructor(
    companyId: CompanyId,
    version: number,
    folders: readonly FolderRecord[] | FolderMap,
    { isPart = false, sortedBefore = new Map(), earlier, bytes = bytesOfAll(folders.values()) }: TreeOptions = {},
  ) {
    this.companyId = companyId
    this.version = version
    this.bytes = bytes
    this.isPart = isPart
    this.#earlier = earlier
    this.#folders = folders instanceof FolderMap ? folders : FolderMap.of(folders)
    this.#sortedBefore = sortedBefore
  }

  /** The tree with some folders replaced or added, and some taken out. */
  with(version: number, put: readonly FolderRecord[], remove: readonly FolderId[] = []): Tree {
    const folders = this.#folders.with(put, remove)
    let { bytes } = this
    for (const id of new Set([...put.map(({ folderId }) => folderId), ...remove])) {
      const [before, after] = [this.#folders.get(id), folders.get(id)]
      bytes += (after ? bytesOf(after) : 0) - (before ? bytesOf(before) : 0)
    }
    const sortedBefore = new Map([...this.#sortedBefore, ...this.#sorted])
    const stays = put.filter(({ folderId }) => folders.get(folderId) !== undefined)
    return new Tree(this.companyId, version, folders, {
      isPart: this.isPart,
      sortedBefore,
      earlier: this.#earlierThan(stays, remove),
      bytes,
    })
  }

  /** What the next version can make its layout of. What is in no layout can be taken out without a trace. */
  #earlierThan(put: readonly FolderRecord[], remove: readonly FolderId[]): EarlierLayout | undefined {
    const layout = this.#layout
    const earlier = layout ? { layout, isAll: layout.folders.length === this.size, put: new Map() } : this.#earlier
    if (!earlier || remove.some((id) => earlier.put.has(id) || earlier.layout.numberOf(id) !== undefined)) return undefined
    const changed = new Map([...earlier.put, ...put.map((folder) => [folder.folderId, folder] as const)])
    return changed.size > MOST_CHANGES ? undefined : { ...earlier, put: changed }
  }

  /** How many folders are stored, deleted ones too. */
  get size(): number {
    return this.#folders.size
  }

  /** A folder as it is stored, deleted or not. */
  record(id: FolderId): FolderRecord | undefined {
    return this.#folders.get(id)
  }

  /** A folder that is there: neither it nor a folder above it is deleted. */
  get(id: FolderId): FolderRecord | undefined {
    return this.chain(id) ? this.#folders.get(id) : undefined
  }

  /** The folder that contains what refers to these contents, where it is there. */
  folderOfContents(contents: ContentsId): FolderRecord | undefined {
    const folder = this.holderOf(contents)
    return folder && this.get(folder.folderId)
  }

  /** The folders that contain what refers to these contents, as far as they are there. */
  foldersOfContents(contents: readonly ContentsId[]): FolderRecord[] {
    return contents.flatMap((each) => this.folderOfContents(each) ?? [])
  }

  /** The folder and all above it, root last; undefined when one of them is deleted, missing, or was purged since. */
  chain(id: FolderId): readonly FolderRecord[] | undefined {
    const known = this.#chains.get(id)
    if (known !== undefined) return known ?? undefined
    const folder = this.#folders.get(id)
    // Nothing is kept of it: anybody may ask for any number of ids that are no folder's.
    if (!folder) return undefined
    // An id on its way is marked as unreachable, so that a cycle (which no write can make) could not loop for ever.
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

  /** Every folder that is there, in no particular order. */
  *all(): Generator<FolderRecord> {
    for (const folder of this.#folders.values()) if (this.chain(folder.folderId)) yield folder
  }

  /** The folders that are there, as ranges of numbers. Made once for all who ask. */
  get layout(): Layout {
    const earlier = this.#earlier
    this.#layout ??= earlier?.layout.with([...earlier.put.values()], earlier.isAll) ?? Layout.of(this.#hanging ?? this.#byContainer())
    this.#earlier = undefined
    return this.#layout
  }

  /** Every folder that is there, ascending. Sorted once for all who ask. */
  sortedBy(field: FolderField): SortedFolders {
    const sorted = this.#sorted.get(field) ?? (this.#sortedBefore.get(field) ?? SortedFolders.none).again(this.layout, field)
    this.#sorted.set(field, sorted)
    return sorted
  }

  /** The folders that are there directly in a folder, or at the root (null), ascending. Sorted once for all who ask. */
  children(parent: FolderId | null, field: FolderField): readonly FolderRecord[] {
    const known = this.#sortedChildren.get(`${field} ${parent}`)
    if (known) return known
    const children = this.layout.children(parent)?.sort(comparing(field))
    // Nothing is kept of a folder that isn't there.
    if (!children) return []
    this.#sortedChildren.set(`${field} ${parent}`, children)
    return children
  }

  /** Of these folders the records that are stored, deleted ones too. */
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

  /** The folder and everything stored below it, deleted or not: what a removal removes. Parents come before children. */
  subtree(id: FolderId): FolderRecord[] {
    this.#hanging ??= this.#byContainer()
    const children = this.#hanging
    const root = this.#folders.get(id)
    const found = root ? [root] : []
    // One by one: a call takes no more than some 100,000 arguments.
    for (let next = 0; next < found.length; next++) for (const child of children.get(contentsOf(found[next]!)) ?? []) found.push(child)
    return found
  }

  /** Folders, deleted ones too, by the contents id on which they hang. */
  #byContainer(): ReadonlyMap<ContentsId | null, FolderRecord[]> {
    return Map.groupBy(this.#folders.values(), hangsOn)
  }

  #above(folder: FolderRecord): readonly FolderRecord[] | undefined {
    if (folder.parent === null) return []
    const parent = this.#folders.get(folder.parent)
    return parent && contentsOf(parent) === hangsOn(folder) ? this.chain(folder.parent) : undefined
  }

  /** The stored folder, deleted or not, that contains what refers to these contents. */
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

/** What a folder takes of memory besides its texts: its record, and its places in what is made of all folders. Measured. */
const FOLDER_BYTES = 900

const bytesOfAll = (folders: Iterator<FolderRecord>): number => Iterator.from(folders).reduce((sum, folder) => sum + bytesOf(folder), 0)

function bytesOf({ name, tags, grants }: FolderRecord): number {
  let bytes = FOLDER_BYTES + 2 * name.length
  for (const tag of tags) bytes += 40 + 2 * tag.length
  for (const _ in grants) bytes += 100
  return bytes
}

/** The user in whose trashcan a folder of the tree lies, or whose trashcan it is. */
export function trashOwner(tree: Pick<Tree, 'chain'>, folder: FolderRecord): UserId | undefined {
  return tree.chain(folder.folderId)?.find(({ system }) => system === 'trash')?.owner
}

/** Tags of a folder: its own and those of every folder above it, each once. */
export function inheritedTags(tree: Tree, folderId: FolderId): string[] {
  return [...new Set((tree.chain(folderId) ?? []).flatMap(({ tags }) => tags))]
}
