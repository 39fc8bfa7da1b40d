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
 * "May this caller do this?" Everything asks here: API, search, zip, trash, CDN, download URLs.
 *
 * What the caller may not know of does not exist: `NotFound`. What they can see but may not do so with: `Forbidden`.
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

  /** What another user may do. Folders that were read already are not read again. */
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
    return this.#opened === undefined && this.#seesPointersInFull(companyId)
  }

  /** To admins a read-only pointer is like any other, also by the share links that they made. */
  #seesPointersInFull(companyId: CompanyId): boolean {
    const { caller } = this
    return caller.kind === 'user' && isAdminOf(caller.user, companyId)
  }

  /** What a share link opens, where the request came by one. */
  get #opened(): Opened | undefined {
    return this.caller.kind === 'user' ? this.caller.opened : undefined
  }

  /** Whether the caller may use the stock library: one of their companies has the right. */
  async hasStock(): Promise<boolean> {
    return (await this.#loadStockCompany()) !== undefined
  }

  /** The first of the caller's companies that may use the stock library. @throws Forbidden `stock_not_enabled` */
  async requireStock(): Promise<CompanyId> {
    const companyId = await this.#loadStockCompany()
    if (companyId === undefined) throw new Forbidden('Your company may not use the stock library.', 'stock_not_enabled')
    return companyId
  }

  /** The company's tree: whole, not only what the caller sees. The same one for the life of this object. */
  async tree(companyId: CompanyId): Promise<Tree> {
    const tree = this.#trees.get(companyId) ?? loadTree({ table: this.#table }, companyId)
    this.#trees.set(companyId, tree)
    return tree
  }

  /**
   * Of these folders those that are there, each with all above it; nothing of any other. What was read for an earlier question about them
   * answers this one, too.
   */
  async chains(companyId: CompanyId, wanted: Wanted): Promise<Chains> {
    const [tree, earlier] = [this.#trees.get(companyId), this.#chains.get(companyId)]
    if (tree) return tree
    const chains = this.#chainsSince(await earlier?.catch(() => undefined), companyId, wanted)
    this.#chains.set(companyId, chains)
    return chains
  }

  /** A folder that the caller sees. @throws NotFound */
  async folder(folderId: FolderId): Promise<VisibleFolder> {
    // Who has a link to some files learns nothing of the folders that hold them.
    if (this.#opened?.mediaIds) throw new NotFound('folder')
    const tree = await this.#chainsOf(folderId)
    const record = tree?.get(folderId)
    const rights = tree && record ? this.#rights.of(tree, record, await this.#loadShares()) : NO_RIGHTS
    if (!record || rights === NO_RIGHTS) throw new NotFound('folder')
    return { record, rights }
  }

  /** A folder that the caller sees with those above it that they see, from the top. @throws NotFound */
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

  /** What gives the caller their rights on a folder, the nearest first. */
  async folderSources(folder: FolderRecord): Promise<RightsSource[]> {
    const tree = await this.chains(folder.companyId, { folderIds: [folder.folderId] })
    return this.#rights.sources(tree, folder, await this.#loadSharesByClique())
  }

  /** All folders of a company on which the caller has any right, in the order in which `from` names folders of the tree. */
  async visibleFolders(companyId: CompanyId, from = (tree: Tree): Iterable<FolderRecord> => tree.layout.folders): Promise<VisibleFolder[]> {
    if (!this.isMember(companyId)) return []
    const rights = await this.rightsOnAll(companyId)
    return visible(from(rights.tree), (record) => rights.of(record))
  }

  /**
   * Versions of all that `visibleFolders` and `visibleOf` depend on: as long as they are the same, so are the folders and the caller's rights.
   * Costs nothing that depends on how many folders there are.
   */
  async folderVersions(companyIds: readonly CompanyId[]): Promise<(number | string)[]> {
    // Nothing may tell of the companies of others, not even that something changes there.
    const ownIds = companyIds.filter((companyId) => this.isMember(companyId))
    const [cliques, ...trees] = await Promise.all([this.#loadCliques(), ...ownIds.map((companyId) => readVersion(this.#table, companyId))])
    const ofTrees = trees.flatMap(({ pk, version }, n) => [pk, version, this.#rights.everywhere(ownIds[n]!)])
    return [...ofTrees, ...cliques.flatMap(({ pk, revision }) => [pk, revision])]
  }

  /** Of some folders those on which the caller has any right, without a walk through all others. */
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
   * What the caller may do with a file: all that any of its folders allows. A read-only pointer passes on only its folder's READ. For admins of
   * the company it is as any other, so that every file has a user who may edit it. Items of the stock catalogue are in no folder of any company:
   * who may use the stock library may READ them, and nobody may do anything else.
   */
  async mediaRights(media: PlacedMedia): Promise<RightSet> {
    if (media.companyId === CATALOGUE) return (await this.hasStock()) ? READ_ALONE : NO_RIGHTS
    return (await this.#given(media)).reduce((rights, given) => rights | given.rights, NO_RIGHTS)
  }

  /** What gives the caller their rights on a file of a company that they belong to, in all folders that hold it. */
  async mediaSources(media: PlacedMedia): Promise<RightsSource[]> {
    const shares = await this.#loadSharesByClique()
    const tree = await this.chains(media.companyId, { contents: media.folders })
    const sources = (await this.#given(media)).flatMap(({ folder, passes }) =>
      this.#rights.sources(tree, folder, shares).map((source) => ({ ...source, rights: source.rights & passes })),
    )
    return joinedSources(sources.filter(({ rights }) => rights !== NO_RIGHTS))
  }

  /**
   * Whether a folder of the caller's companies contains a file. A deleted folder contains nothing any more, though a job has yet to remove its
   * pointers; another user's trashcan is that user's alone.
   */
  async isContained(media: PlacedMedia): Promise<boolean> {
    if (!this.isMember(media.companyId)) return false
    const tree = await this.chains(media.companyId, { contents: media.folders })
    return tree.foldersOfContents(media.folders).some((folder) => {
      const owner = trashOwner(tree, folder)
      return owner === undefined || this.#rights.inTrash(owner) !== NO_RIGHTS
    })
  }

  /** Whether the caller has this right on a file. */
  async hasOnMedia(right: Right, media: PlacedMedia): Promise<boolean> {
    return holds(await this.mediaRights(media), right)
  }

  /** Whether a folder outside of all trashcans gives the caller this right on a file. */
  async hasOutsideTrash(right: Right, media: PlacedMedia): Promise<boolean> {
    const given = await this.#given(media)
    const tree = await this.chains(media.companyId, { contents: media.folders })
    return given.some(({ folder, rights }) => holds(rights, right) && trashOwner(tree, folder) === undefined)
  }

  /**
   * Requires what it takes to give a file to people without an account: READ, outside of trashcans, and not by a read-only pointer, whose maker
   * may look at the file alone. @throws NotFound when the caller has no right on any folder that contains it, Forbidden
   */
  async requireShareable(media: PlacedMedia): Promise<void> {
    await this.requireOwned(media)
    const [given, tree] = await Promise.all([this.#given(media), this.chains(media.companyId, { contents: media.folders })])
    const fits = ({ folder, rights, passes }: Given) =>
      holds(rights, 'READ') && passes === EVERY_RIGHT && trashOwner(tree, folder) === undefined
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
   * Requires that a file is one of those that companies have in their folders. Items of the stock catalogue are no company's to place, to show or
   * to throw away. @throws NotFound for those who may not use the stock library, Forbidden
   */
  async requireOwned(media: PlacedMedia): Promise<void> {
    if (media.companyId !== CATALOGUE) return
    await this.requireVisible(media)
    throw new Forbidden('Items of the stock library can only be read and downloaded.')
  }

  /** @throws NotFound when the caller has no right on any folder that contains it, Forbidden when not this one on the file */
  async requireMedia(right: Right, media: PlacedMedia): Promise<void> {
    if (await this.hasOnMedia(right, media)) return
    await this.requireVisible(media)
    throw new Forbidden(`This needs ${right} on the file.`)
  }

  /**
   * What putting a file into a folder takes besides WRITE, where that publishes it: READ and WRITE on the CDN folder, and on another one that
   * contains the file. Nothing for all other folders.
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
   * Requires READ and WRITE on one folder that contains the file. A read-only pointer doesn't count: whoever placed it may not publish the file.
   * @param but a folder that doesn't count
   * @throws NotFound when the caller has no right on any folder that contains it, Forbidden
   */
  async requirePublishable(media: PlacedMedia, but?: FolderRecord): Promise<void> {
    const given = await this.#given(media)
    if (given.some(({ folder, rights }) => folder.folderId !== but?.folderId && holdsAll(rights, TO_PUBLISH))) return
    await this.requireVisible(media)
    throw new Forbidden(`To publish a file needs READ and WRITE on ${but ? 'another' : 'a'} folder that holds it.`)
  }

  /** Of the folders that contain a file, those that the caller can see. */
  async visibleAmong(media: PlacedMedia): Promise<FolderRecord[]> {
    return this.#among(media, (rights) => rights !== NO_RIGHTS)
  }

  /** Of the folders that contain a file, those by which the caller may READ it. */
  async readableAmong(media: PlacedMedia): Promise<FolderRecord[]> {
    return (await this.#given(media)).filter(({ rights }) => holds(rights, 'READ')).map(({ folder }) => folder)
  }

  /** Of the folders that contain a file, those in which the caller may WRITE. */
  async writableAmong(media: PlacedMedia): Promise<FolderRecord[]> {
    return this.#among(media, (rights) => holds(rights, 'WRITE'))
  }

  /** What each folder that contains a file gives the caller of rights on it, and which rights its pointer lets pass. */
  async #given(media: PlacedMedia): Promise<Given[]> {
    if (!this.isMember(media.companyId) || !this.#isOpen(media)) return []
    const [tree, shares] = await Promise.all([this.chains(media.companyId, { contents: media.folders }), this.#loadShares()])
    const readOnly = new Set(this.#seesPointersInFull(media.companyId) ? [] : tree.foldersOfContents(media.readOnlyIn ?? []))
    return tree.foldersOfContents(media.folders).map((folder) => {
      const passes = readOnly.has(folder) ? (this.#opened ? NO_RIGHTS : READ_ALONE) : EVERY_RIGHT
      return { folder, rights: this.#rights.of(tree, folder, shares) & passes, passes }
    })
  }

  /** Whether a share link opens a file, if the request came by one. */
  #isOpen({ mediaId }: PlacedMedia): boolean {
    const mediaIds = this.#opened?.mediaIds
    return mediaIds === undefined || (mediaId !== undefined && mediaIds.has(mediaId))
  }

  async #among(media: PlacedMedia, fits: (rights: RightSet) => boolean): Promise<FolderRecord[]> {
    if (this.#opened) return (await this.#given(media)).filter(({ rights }) => fits(rights)).map(({ folder }) => folder)
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

/** To read as a caller: what they may do decides. */
export interface AuthorizedReading extends Reading {
  access: Access
}

/** To write as a caller. */
export interface AuthorizedWriting extends Writing {
  access: Access
}

/** A folder with what the caller may do in it. */
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

/** Numbers of the folders in which a share link leaves rights: all where it opens files, wherever they are. */
function openedIn({ layout }: Tree, { folderId }: Opened): Range {
  if (folderId === undefined) return [0, layout.folders.length]
  const number = layout.numberOf(folderId)
  return number === undefined ? [0, 0] : layout.subtree(number)
}

/** What a folder that contains a file gives the caller of rights on it, and which rights its pointer lets pass. */
interface Given {
  folder: FolderRecord
  rights: RightSet
  passes: RightSet
}

/** What rights on a file depend on. */
export interface PlacedMedia {
  /** Without it no share link opens the file. */
  mediaId?: MediaId
  companyId: CompanyId
  /** Of the folders that contain the file. */
  folders: readonly ContentsId[]
  /** Those of them whose pointers are read-only. Without it none is. */
  readOnlyIn?: readonly ContentsId[]
}
