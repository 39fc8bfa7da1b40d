import type { TableReader } from '../../backends/table/port.ts'
import { type CompanyId, type ContentsId, type FolderId, toFolderId } from '../../vocabulary/ids.ts'
import { type FolderClaim, folderClaimKey } from '../tree/folder.ts'
import { type Chains, trashOwner } from '../tree/tree.ts'
import { loadChains } from '../tree/tree-store.ts'
import type { FeedEvent } from './feed-events.ts'

/** Locations of the folders in events, at the time of numbering. */
export class Places {
  readonly #chains: Chains
  /** Folders by contents ids that differ from the folder's own id. */
  readonly #folders: ReadonlyMap<ContentsId, FolderId>

  private constructor(chains: Chains, folders: ReadonlyMap<ContentsId, FolderId>) {
    this.#chains = chains
    this.#folders = folders
  }

  /** Reads the locations that these events need. */
  static async of(table: TableReader, companyId: CompanyId, events: readonly FeedEvent[]): Promise<Places> {
    const contents = [...new Set(events.flatMap(contentsIn))]
    const folderIds = [...new Set(events.flatMap(foldersIn))]
    const [claims, chains] = await Promise.all([
      table.getMany<FolderClaim>(contents.map(folderClaimKey)),
      loadChains({ table }, companyId, { contents, folderIds }),
    ])
    const owners = new Map(claims.map(({ pk, contentsOf }) => [pk, contentsOf]))
    const folders = contents.map((each) => [each, owners.get(folderClaimKey(each).pk) ?? toFolderId(each)] as const)
    return new Places(chains, new Map(folders))
  }

  /** The folders with these contents ids, purged and deleted ones too. */
  foldersOf(contents: readonly ContentsId[] = []): FolderId[] {
    return [...new Set(contents.map((each) => this.#folders.get(each) ?? toFolderId(each)))]
  }

  /** Whether a folder is or lies in a trashcan. */
  isTrash(folderId: FolderId | null): boolean {
    const folder = folderId === null ? undefined : this.#chains.get(folderId)
    return folder !== undefined && trashOwner(this.#chains, folder) !== undefined
  }

  isTrashed(contents: ContentsId): boolean {
    const folder = this.#chains.folderOfContents(contents)
    return folder !== undefined && trashOwner(this.#chains, folder) !== undefined
  }

  /** The parent of a folder, null at the root; undefined for a missing folder. */
  parentOf(folderId: FolderId): FolderId | null | undefined {
    return this.#chains.get(folderId)?.parent
  }
}

function contentsIn(event: FeedEvent): readonly ContentsId[] {
  if (event.name === 'media.placed') return [...event.folders, ...event.removed]
  return 'folders' in event ? (event.folders ?? []) : []
}

function foldersIn(event: FeedEvent): FolderId[] {
  if (event.name === 'folder.moved') return [event.from, event.to].flatMap((id) => id ?? [])
  return event.name === 'folder.shared' ? [event.folderId] : []
}
