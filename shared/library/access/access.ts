import type { TableReader } from '../../backends/table/port.ts'
import { CATALOGUE, type CliqueId, type CompanyId, type ContentsId, type FolderId, type MediaId } from '../../vocabulary/ids.ts'
import { cliqueKey } from '../accounts/clique.ts'
import { firstWithStock } from '../accounts/companies.ts'
import { isAdminOf, type UserRecord } from '../accounts/users.ts'
import { Forbidden, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { knows, type Wanted } from '../tree/chains.ts'
import {
  EVERY_RIGHT,
  type FolderClaim,
  type FolderRecord,
  folderClaimKey,
  holds,
  holdsAll,
  NO_RIGHTS,
  READ_ALONE,
  type Right,
  type RightSet,
  TO_PUBLISH,
} from '../tree/folder.ts'
import type { Range } from '../tree/layout.ts'
import { isCdnFolder } from '../tree/system-folders.ts'
import { type Chains, type Tree, trashOwner } from '../tree/tree.ts'
import { readVersion } from '../tree/tree-log.ts'
import { loadChains, loadTree } from '../tree/tree-store.ts'
import type { Caller, Opened, UserCaller } from './caller.ts'
import { FolderRights } from './folder-rights.ts'
import { joinedSources, type RightsSource } from './rights-sources.ts'
import { type CliqueVersion, loadCliques, type Shares, sharesOf } from './shares.ts'
import { TreeRights } from './tree-rights.ts'

/**
 * Authorization: what a caller may see and do. Everything asks it: API, search, zips, trash, CDN, download URLs.
 *
 * What the caller can't see is `NotFound`. What they see but may not use this way is `Forbidden`.
 */
export class Access<C extends Caller = Caller> {
  readonly caller: C
  readonly #table: TableReader
  readonly #trees = new Map<CompanyId, Promise<Tree>>()
  readonly #chains = new Map<CompanyId, Promise<Chains>>()
  readonly #rights: FolderRights
  #cliques: Promise<CliqueVersion[]> | undefined
  #shares: Promise<Shares> | undefined
  #stockCompany: Promise<CompanyId | undefined> | undefined

  constructor(table: TableReader, caller: C) {
    this.#table = table
    this.caller = caller
    this.#rights = new FolderRights(caller)
  }

  /** The access of another user. Reuses the folders that this one has read. */
  ofUser(user: UserRecord): Access<UserCaller> {
    const other = new Access<UserCaller>(this.#table, { kind: 'user', user })
    for (const [companyId, tree] of this.#trees) other.#trees.set(companyId, tree)
    for (const [companyId, chains] of this.#chains) other.#chains.set(companyId, chains)
    return other
  }

  /** Companies that the caller belongs to, their own first. */
  get companyIds(): CompanyId[] {
    const { caller } = this
    if (caller.kind === 'application') return [caller.key.companyId]
    const ids = caller.user.companies.map(({ companyId }) => companyId)
    return caller.opened ? ids.filter((companyId) => companyId === caller.opened?.companyId) : ids
  }

  isMember(companyId: CompanyId): boolean {
    return this.companyIds.includes(companyId)
  }

  isAdmin(companyId: CompanyId): boolean {
    return this.#opened === undefined && this.#ignoresReadOnly(companyId)
  }

  /** Whether read-only pointers pass on all rights, as for admins of the company. Also for share links that admins made. */
  #ignoresReadOnly(companyId: CompanyId): boolean {
    const { caller } = this
    return caller.kind === 'user' && isAdminOf(caller.user, companyId)
  }

  /** What the request's share link opens, if it has one. */
  get #opened(): Opened | undefined {
    return this.caller.kind === 'user' ? this.caller.opened : undefined
  }

  /** Whether one of the caller's companies may use the stock library. */
  async hasStock(): Promise<boolean> {
    return (await this.#loadStockCompany()) !== undefined
  }

  /** The first of the caller's companies that may use the stock library. @throws Forbidden `stock_not_enabled` */
  async requireStock(): Promise<CompanyId> {
    const companyId = await this.#loadStockCompany()
    if (companyId === undefined) throw new Forbidden('Your company may not use the stock library.', 'stock_not_enabled')
    return companyId
  }

  /** The company's whole tree, not only what the caller sees. Read once per `Access`. */
  async tree(companyId: CompanyId): Promise<Tree> {
    const tree = this.#trees.get(companyId) ?? loadTree({ table: this.#table }, companyId)
    this.#trees.set(companyId, tree)
    return tree
  }

  /** Those of these folders that exist, with their ancestors. Reuses what earlier calls read. */
  async chains(companyId: CompanyId, wanted: Wanted): Promise<Chains> {
    const [tree, earlier] = [this.#trees.get(companyId), this.#chains.get(companyId)]
    if (tree) return tree
    const chains = this.#chainsSince(await earlier?.catch(() => undefined), companyId, wanted)
    this.#chains.set(companyId, chains)
    return chains
  }

  /** A folder that the caller sees. @throws NotFound */
  async folder(folderId: FolderId): Promise<VisibleFolder> {
    // Links to files never leak the folders that hold them.
    if (this.#opened?.mediaIds) throw new NotFound('folder')
    const tree = await this.#chainsOf(folderId)
    const record = tree?.get(folderId)
    const rights = tree && record ? this.#rights.of(tree, record, await this.#loadShares()) : NO_RIGHTS
    if (!record || rights === NO_RIGHTS) throw new NotFound('folder')
    return { record, rights }
  }

  /** A visible folder with its visible ancestors, from the top. @throws NotFound */
  async path(folderId: FolderId): Promise<FolderRecord[]> {
    const { record } = await this.folder(folderId)
    const [tree, shares] = await Promise.all([this.chains(record.companyId, { folderIds: [folderId] }), this.#loadShares()])
    const chain = tree.chain(folderId) ?? []
    return visible(chain, (above) => this.#rights.of(tree, above, shares))
      .map((seen) => seen.record)
      .reverse()
  }

  /** Whether the caller has this right on a folder that they see. @throws NotFound */
  async has(right: Right, folderId: FolderId): Promise<boolean> {
    return holds((await this.folder(folderId)).rights, right)
  }

  /** A folder on which the caller has this right. @throws NotFound, Forbidden */
  async folderWith(right: Right, folderId: FolderId): Promise<FolderRecord> {
    const { record, rights } = await this.folder(folderId)
    if (!holds(rights, right)) throw new Forbidden(`This needs ${right} on the folder.`)
    return record
  }

  /** A folder that the caller may rename, move, delete or trash. @throws NotFound, Forbidden also for PERMANENT folders */
  async alterableFolder(folderId: FolderId): Promise<FolderRecord> {
    const record = await this.folderWith('ADMIN', folderId)
    if (record.system) throw new Forbidden('This folder is permanent: it cannot be altered or deleted.', 'permanent_folder')
    return record
  }

  /** Returns a function that computes the rights which the caller inherits on a folder, and would lose at the root. */
  async lossAtRoot(): Promise<(tree: Chains, folder: FolderRecord) => RightSet> {
    const shares = await this.#loadShares()
    return (tree, folder) => this.#rights.lostAtRoot(tree, folder, shares)
  }

  /** Sources of the caller's rights on a folder, nearest first. */
  async folderSources(folder: FolderRecord): Promise<RightsSource[]> {
    const tree = await this.chains(folder.companyId, { folderIds: [folder.folderId] })
    return this.#rights.sources(tree, folder, await this.#loadSharesByClique())
  }

  /** All folders of a company on which the caller has any right, in the order of `from`. */
  async visibleFolders(companyId: CompanyId, from = (tree: Tree): Iterable<FolderRecord> => tree.layout.folders): Promise<VisibleFolder[]> {
    if (!this.isMember(companyId)) return []
    const rights = await this.rightsOnAll(companyId)
    return visible(from(rights.tree), (record) => rights.of(record))
  }

  /**
   * Versions of all that `visibleFolders` and `visibleOf` depend on: equal versions mean equal folders and rights. The cost is independent
   * of the number of folders.
   */
  async folderVersions(companyIds: readonly CompanyId[]): Promise<(number | string)[]> {
    // Changes in other companies are never leaked.
    const ownIds = companyIds.filter((companyId) => this.isMember(companyId))
    const [cliques, ...trees] = await Promise.all([this.#loadCliques(), ...ownIds.map((companyId) => readVersion(this.#table, companyId))])
    const ofTrees = trees.flatMap(({ pk, version }, n) => [pk, version, this.#rights.everywhere(ownIds[n]!)])
    return [...ofTrees, ...cliques.flatMap(({ pk, revision }) => [pk, revision])]
  }

  /** Those of these folders on which the caller has any right. Doesn't walk the rest of the tree. */
  async visibleOf(companyId: CompanyId, some: (tree: Tree) => Iterable<FolderRecord>): Promise<VisibleFolder[]> {
    if (!this.isMember(companyId)) return []
    const [tree, shares] = await Promise.all([this.tree(companyId), this.#loadShares()])
    return visible(some(tree), (record) => this.#rights.of(tree, record, shares))
  }

  /** The caller's rights on every folder of a company that they belong to. */
  async rightsOnAll(companyId: CompanyId): Promise<TreeRights> {
    const [tree, shares] = await Promise.all([this.tree(companyId), this.#loadShares()])
    const userId = this.caller.kind === 'user' ? this.caller.user.userId : undefined
    const sources = { everywhere: this.#rights.everywhere(companyId), userId, shares }
    return new TreeRights(tree, sources, this.#opened && openedIn(tree, this.#opened))
  }

  /**
   * The caller's rights on a file: the union of its folders' rights. A read-only pointer passes on READ alone, except to admins of the
   * company, so that every file has a user who may edit it. Items of the stock catalogue are in no folder of a company: users of the stock
   * library may READ them, and nobody has other rights.
   */
  async mediaRights(media: PlacedMedia): Promise<RightSet> {
    if (media.companyId === CATALOGUE) return (await this.hasStock()) ? READ_ALONE : NO_RIGHTS
    return (await this.#rightsByPointer(media)).reduce((rights, given) => rights | given.rights, NO_RIGHTS)
  }

  /** Sources of the caller's rights on a file of one of their companies, in all folders that hold it. */
  async mediaSources(media: PlacedMedia): Promise<RightsSource[]> {
    const shares = await this.#loadSharesByClique()
    const tree = await this.chains(media.companyId, { contents: media.folders })
    const sources = (await this.#rightsByPointer(media)).flatMap(({ folder, passedOn }) =>
      this.#rights.sources(tree, folder, shares).map((source) => ({ ...source, rights: source.rights & passedOn })),
    )
    return joinedSources(sources.filter(({ rights }) => rights !== NO_RIGHTS))
  }

  /**
   * Whether a folder of the caller's companies contains a file. Deleted folders count as empty before the job removes their pointers. Other
   * users' trashcans don't count.
   */
  async isContained(media: PlacedMedia): Promise<boolean> {
    if (!this.isMember(media.companyId)) return false
    const tree = await this.chains(media.companyId, { contents: media.folders })
    return tree.foldersOfContents(media.folders).some((folder) => {
      const owner = trashOwner(tree, folder)
      return owner === undefined || this.#rights.inTrash(owner) !== NO_RIGHTS
    })
  }

  /** Whether a file of one of the caller's companies is in trashcans alone, whosever they are. */
  async isTrashed(media: PlacedMedia): Promise<boolean> {
    const tree = await this.chains(media.companyId, { contents: media.folders })
    return tree.foldersOfContents(media.folders).every((folder) => trashOwner(tree, folder) !== undefined)
  }

  /** Whether the caller has this right on a file. */
  async hasOnMedia(right: Right, media: PlacedMedia): Promise<boolean> {
    return holds(await this.mediaRights(media), right)
  }

  /** Whether a folder outside of all trashcans gives the caller this right on a file. */
  async hasOutsideTrash(right: Right, media: PlacedMedia): Promise<boolean> {
    const given = await this.#rightsByPointer(media)
    const tree = await this.chains(media.companyId, { contents: media.folders })
    return given.some(({ folder, rights }) => holds(rights, right) && trashOwner(tree, folder) === undefined)
  }

  /**
   * Requires the rights to share a file with people without an account: READ outside of trashcans, through a full pointer.
   * @throws NotFound when the caller has no right on any folder that contains it, Forbidden
   */
  async requireShareable(media: PlacedMedia): Promise<void> {
    await this.requireOwned(media)
    const [given, tree] = await Promise.all([this.#rightsByPointer(media), this.chains(media.companyId, { contents: media.folders })])
    const fits = ({ folder, rights, passedOn }: PointerRights) =>
      holds(rights, 'READ') && passedOn === EVERY_RIGHT && trashOwner(tree, folder) === undefined
    if (given.some(fits)) return
    await this.requireVisible(media)
    throw new Forbidden('To share a file needs READ on a folder that holds it, by another than a read-only copy.')
  }

  /** @throws NotFound when the caller has no right on any folder that contains it */
  async requireVisible(media: PlacedMedia): Promise<void> {
    const isVisible = media.companyId === CATALOGUE ? await this.hasStock() : (await this.visibleAmong(media)).length > 0
    if (!isVisible) throw new NotFound('media')
  }

  /**
   * Requires that a company owns the file. Items of the stock catalogue can't be placed, shared or deleted.
   * @throws NotFound for callers without the stock library, Forbidden
   */
  async requireOwned(media: PlacedMedia): Promise<void> {
    if (media.companyId !== CATALOGUE) return
    await this.requireVisible(media)
    throw new Forbidden('Items of the stock library can only be read and downloaded.')
  }

  /** @throws NotFound when the caller has no right on any folder that contains it, Forbidden without this right on the file */
  async requireMedia(right: Right, media: PlacedMedia): Promise<void> {
    if (await this.hasOnMedia(right, media)) return
    await this.requireVisible(media)
    throw new Forbidden(`This needs ${right} on the file.`)
  }

  /**
   * Requires the rights to publish a file in a CDN folder: READ and WRITE on that folder, and on another one that contains the file.
   * Requires nothing for other folders: callers check WRITE.
   * @param media undefined for an upload: no folder contains it yet
   * @throws NotFound when the caller has no right on any folder that contains it, Forbidden
   */
  async requirePublishing(folder: FolderRecord, media?: PlacedMedia): Promise<void> {
    if (!isCdnFolder(folder)) return
    const { rights } = await this.folder(folder.folderId)
    if (!holdsAll(rights, TO_PUBLISH)) throw new Forbidden('This needs READ and WRITE on the CDN folder.')
    if (media) await this.requirePublishable(media, folder)
  }

  /**
   * Requires READ and WRITE on one folder that contains the file. A read-only pointer doesn't count: its maker may not publish the file.
   * @param except a folder that doesn't count
   * @throws NotFound when the caller has no right on any folder that contains it, Forbidden
   */
  async requirePublishable(media: PlacedMedia, except?: FolderRecord): Promise<void> {
    const given = await this.#rightsByPointer(media)
    if (given.some(({ folder, rights }) => folder.folderId !== except?.folderId && holdsAll(rights, TO_PUBLISH))) return
    await this.requireVisible(media)
    throw new Forbidden(`To publish a file needs READ and WRITE on ${except ? 'another' : 'a'} folder that holds it.`)
  }

  /** The folders of a file that the caller sees. */
  async visibleAmong(media: PlacedMedia): Promise<FolderRecord[]> {
    return this.#among(media, (rights) => rights !== NO_RIGHTS)
  }

  /** The folders of a file through which the caller may READ it. */
  async readableAmong(media: PlacedMedia): Promise<FolderRecord[]> {
    return (await this.#rightsByPointer(media)).filter(({ rights }) => holds(rights, 'READ')).map(({ folder }) => folder)
  }

  /** The folders of a file in which the caller may WRITE. */
  async writableAmong(media: PlacedMedia): Promise<FolderRecord[]> {
    return this.#among(media, (rights) => holds(rights, 'WRITE'))
  }

  /** The caller's rights on a file through each of its pointers. */
  async #rightsByPointer(media: PlacedMedia): Promise<PointerRights[]> {
    if (!this.isMember(media.companyId) || !this.#isOpen(media)) return []
    const [tree, shares] = await Promise.all([this.chains(media.companyId, { contents: media.folders }), this.#loadShares()])
    const readOnly = new Set(this.#ignoresReadOnly(media.companyId) ? [] : tree.foldersOfContents(media.readOnlyIn ?? []))
    return tree.foldersOfContents(media.folders).map((folder) => {
      const passedOn = readOnly.has(folder) ? (this.#opened ? NO_RIGHTS : READ_ALONE) : EVERY_RIGHT
      return { folder, rights: this.#rights.of(tree, folder, shares) & passedOn, passedOn }
    })
  }

  /** Whether the request's share link, if any, opens a file. */
  #isOpen({ mediaId }: PlacedMedia): boolean {
    const mediaIds = this.#opened?.mediaIds
    return mediaIds === undefined || (mediaId !== undefined && mediaIds.has(mediaId))
  }

  async #among(media: PlacedMedia, fits: (rights: RightSet) => boolean): Promise<FolderRecord[]> {
    if (this.#opened) return (await this.#rightsByPointer(media)).filter(({ rights }) => fits(rights)).map(({ folder }) => folder)
    if (!this.isMember(media.companyId)) return []
    const [tree, shares] = await Promise.all([this.chains(media.companyId, { contents: media.folders }), this.#loadShares()])
    return tree.foldersOfContents(media.folders).filter((folder) => fits(this.#rights.of(tree, folder, shares)))
  }

  async #chainsOf(folderId: FolderId): Promise<Chains | undefined> {
    const wanted = { folderIds: [folderId] }
    const [own, ...others] = this.companyIds
    if (own !== undefined && others.length === 0) return this.chains(own, wanted)
    const claim = await this.#table.get<FolderClaim>(folderClaimKey(folderId))
    return claim && this.isMember(claim.companyId) ? this.chains(claim.companyId, wanted) : undefined
  }

  async #chainsSince(earlier: Chains | undefined, companyId: CompanyId, wanted: Wanted): Promise<Chains> {
    return earlier && knows(earlier, wanted) ? earlier : loadChains({ table: this.#table }, companyId, wanted)
  }

  #loadStockCompany(): Promise<CompanyId | undefined> {
    this.#stockCompany ??= firstWithStock({ table: this.#table }, this.#opened ? [] : this.companyIds)
    return this.#stockCompany
  }

  #loadShares(): Promise<Shares> {
    this.#shares ??= this.#loadCliques().then((cliques) => sharesOf({ table: this.#table }, cliques))
    return this.#shares
  }

  async #loadSharesByClique(): Promise<ReadonlyMap<CliqueId, Shares>> {
    const { caller } = this
    if (caller.kind === 'application') return new Map()
    const versions = new Map((await this.#loadCliques()).map((clique) => [clique.pk, clique]))
    const known = caller.user.cliques.flatMap((cliqueId) => {
      const clique = versions.get(cliqueKey(cliqueId).pk)
      return clique ? [{ cliqueId, clique }] : []
    })
    const shares = await Promise.all(
      known.map(async ({ cliqueId, clique }) => [cliqueId, await sharesOf({ table: this.#table }, [clique])] as const),
    )
    return new Map(shares)
  }

  #loadCliques(): Promise<CliqueVersion[]> {
    this.#cliques ??= loadCliques({ table: this.#table }, this.caller)
    return this.#cliques
  }
}

/** Reads with a caller's rights. */
export interface AuthorizedReading extends Reading {
  access: Access
}

/** Writes with a caller's rights. */
export interface AuthorizedWriting extends Writing {
  access: Access
}

/** A folder with the caller's rights on it. */
export interface VisibleFolder {
  record: FolderRecord
  rights: RightSet
}

function visible(folders: Iterable<FolderRecord>, rightsOn: (folder: FolderRecord) => RightSet): VisibleFolder[] {
  const found: VisibleFolder[] = []
  for (const record of folders) {
    const rights = rightsOn(record)
    if (rights !== NO_RIGHTS) found.push({ record, rights })
  }
  return found
}

/** Numbers of the folders that a share link opens; all for links to files. */
function openedIn({ layout }: Tree, { folderId }: Opened): Range {
  if (folderId === undefined) return [0, layout.folders.length]
  const number = layout.numberOf(folderId)
  return number === undefined ? [0, 0] : layout.subtree(number)
}

/** The caller's rights on a file through one pointer. */
interface PointerRights {
  folder: FolderRecord
  rights: RightSet
  /** Rights that the pointer passes on. */
  passedOn: RightSet
}

/** The attributes of a file that rights on it depend on. */
export interface PlacedMedia {
  /** Share links open no file without it. */
  mediaId?: MediaId
  companyId: CompanyId
  /** Contents ids of the folders that contain the file. */
  folders: readonly ContentsId[]
  /** Folders with read-only pointers. Absent where there are none. */
  readOnlyIn?: readonly ContentsId[]
}
