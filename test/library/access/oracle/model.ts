import { Forbidden, Invalid, NotFound } from '../../../../shared/library/errors.ts'
import type { Right } from '../../../../shared/library/tree/folder.ts'

/**
 * Companies, people, folders, files, cliques and items of the stock catalogue by the rules of rights, copies and trash, word for word and without
 * regard to speed or storage: what is deleted is gone, and rights are worked out anew for each question. Operations throw what the library must
 * throw.
 */

export interface ModelUser {
  id: number
  /** By company; true for its admin. */
  companies: Map<number, boolean>
}

interface ModelFolder {
  companyId: number
  parent: number | null
  system?: 'trash' | 'public' | 'cdn'
  owner?: number
  /** By user. */
  grants: Map<number, readonly Right[]>
  /** At the root: what its mover inherited, and has of its grants since. In a trashcan: what they inherited where it was. */
  carried?: { userId: number; rights: readonly Right[] } | undefined
}

interface ModelFile {
  companyId: number
  /** Every one that was placed, also several in one folder: what they give together is what each gives. */
  pointers: ModelPointer[]
}

interface ModelPointer {
  folder: number
  /** Whether whoever placed it had READ on the file and not WRITE. */
  givesReadAlone: boolean
}

interface ModelClique {
  companyId: number
  members: Set<number>
  /** By folder. */
  shares: Map<number, readonly Right[]>
}

/** What publishing takes. */
const TO_PUBLISH: ReadonlySet<Right> = new Set(['READ', 'WRITE'])
const ALL: readonly Right[] = ['READ', 'WRITE', 'ADMIN']
/** The company of the stock catalogue. Nobody is in it; its files are items. */
const CATALOGUE = 0

export class LibraryModel {
  readonly users = new Map<number, ModelUser>()
  readonly folders = new Map<number, ModelFolder>()
  readonly files = new Map<number, ModelFile>()
  readonly cliques = new Map<number, ModelClique>()
  /** Companies that may use the stock library. */
  readonly withStock = new Set<number>()
  /** Every id that ever was, also of what is gone. */
  readonly known = { folders: new Set<number>(), files: new Set<number>(), cliques: new Set<number>() }

  // What somebody may do

  rights(userId: number, folderId: number): Set<Right> {
    const folder = this.folders.get(folderId)
    const admin = folder && this.users.get(userId)!.companies.get(folder.companyId)
    if (!folder || admin === undefined) return new Set()
    const chain = this.#chain(folderId)
    const trash = chain.map((id) => this.folders.get(id)!).find(({ system }) => system === 'trash')
    if (trash) return new Set(trash.owner === userId ? ALL : [])
    const rights = new Set<Right>(admin ? ALL : [])
    for (const id of chain) {
      for (const right of this.folders.get(id)!.grants.get(userId) ?? []) rights.add(right)
      for (const clique of this.cliques.values()) {
        if (!clique.members.has(userId)) continue
        for (const right of clique.shares.get(id) ?? []) rights.add(right)
      }
    }
    return rights
  }

  fileRights(userId: number, fileId: number): Set<Right> {
    if (this.#isItem(fileId)) return new Set(this.#hasStock(userId) ? ['READ'] : [])
    const rights = new Set<Right>()
    const file = this.files.get(fileId)
    for (const { folder, givesReadAlone } of file?.pointers ?? []) {
      for (const right of this.rights(userId, folder)) {
        const isAdmin = this.users.get(userId)!.companies.get(file!.companyId)
        if (right === 'READ' || !givesReadAlone || isAdmin) rights.add(right)
      }
    }
    return rights
  }

  /** Whether a share link to a folder, which a user made, shows another folder. */
  isFolderShared(userId: number, shared: number, id: number): boolean {
    return this.#chain(id).includes(shared) && !this.isTrashed(id) && this.rights(userId, id).has('READ')
  }

  /** Whether a share link of a user's, to a folder or to this very file, shows a file. */
  isFileShared(userId: number, shared: number | 'itself', fileId: number): boolean {
    const file = this.files.get(fileId)
    const isAdmin = file && this.users.get(userId)!.companies.get(file.companyId)
    return (file?.pointers ?? []).some(
      ({ folder, givesReadAlone }) =>
        (isAdmin || !givesReadAlone) &&
        this.folders.has(folder) &&
        this.isFolderShared(userId, shared === 'itself' ? folder : shared, folder),
    )
  }

  foldersOf(fileId: number): number[] {
    return [...new Set(this.files.get(fileId)?.pointers.map(({ folder }) => folder))]
  }

  /** CDN folders in which a file has links. */
  linkedIn(fileId: number): number[] {
    return this.foldersOf(fileId).filter((folder) => this.folders.get(folder)!.system === 'cdn' && this.#isFull(fileId, folder))
  }

  isTrashed(folderId: number): boolean {
    return this.#chain(folderId).some((id) => this.folders.get(id)!.system === 'trash')
  }

  /** Makes somebody a member of a company, or changes whether they are its admin. */
  join(userId: number, companyId: number, admin: boolean, trashcan: number): void {
    this.users.get(userId)!.companies.set(companyId, admin)
    if (!this.folders.has(trashcan))
      this.addFolder(trashcan, { companyId, parent: null, system: 'trash', owner: userId, grants: new Map() })
  }

  // Folders

  addFolder(id: number, folder: ModelFolder): void {
    this.known.folders.add(id)
    this.folders.set(id, folder)
  }

  /** @param id made by the library, undefined when it refused */
  createFolder(userId: number, { parent, companyId }: { parent: number | null; companyId: number }, id: number | undefined): void {
    const { companies } = this.users.get(userId)!
    if (parent !== null) this.#need('ADMIN', userId, parent)
    else if (!companies.has(companyId)) throw new NotFound('company')
    const at = parent === null ? companyId : this.folders.get(parent)!.companyId
    const inherited = parent === null ? new Set() : this.rights(userId, parent)
    const lacking = companies.get(at) ? [] : ALL.filter((right) => !inherited.has(right))
    this.addFolder(id!, { companyId: at, parent, grants: new Map([[userId, lacking]]) })
  }

  moveFolder(userId: number, id: number, parent: number | null): void {
    const folder = this.#alterable(userId, id)
    if (parent === folder.parent) return
    if (parent !== null) {
      this.#need('ADMIN', userId, parent)
      if (this.folders.get(parent)!.companyId !== folder.companyId) throw new Invalid({ path: 'parent', message: 'another company' })
      if (this.#chain(parent).includes(id)) throw new Invalid({ path: 'parent', message: 'below itself' })
    }
    this.#place(userId, id, parent)
  }

  /** Nothing is inherited at the root: there a folder grants its mover what they inherited, and takes that back below another one. */
  #place(userId: number, id: number, parent: number | null): void {
    const folder = this.folders.get(id)!
    const isTrashcan = (place: number | null) => place !== null && this.folders.get(place)!.system === 'trash'
    const own = (user: number) => folder.grants.get(user) ?? []
    if (isTrashcan(parent)) {
      if (folder.parent !== null) folder.carried = this.#inherited(userId, id)
    } else if (parent === null) {
      if (!isTrashcan(folder.parent)) folder.carried = this.#inherited(userId, id)
      const { carried } = folder
      if (carried) folder.grants.set(carried.userId, [...new Set([...own(carried.userId), ...carried.rights])])
    } else if (folder.carried) {
      const { userId: carrier, rights } = folder.carried
      folder.grants.set(
        carrier,
        own(carrier).filter((right) => !rights.includes(right)),
      )
      folder.carried = undefined
    }
    folder.parent = parent
  }

  /** What folders above alone give somebody, whatever trashcan they are in. An admin has it everywhere. */
  #inherited(userId: number, id: number): ModelFolder['carried'] {
    const { companyId } = this.folders.get(id)!
    if (this.users.get(userId)!.companies.get(companyId)) return undefined
    const given = (folderId: number): Right[] => {
      const { grants, carried } = this.folders.get(folderId)!
      const shared = [...this.cliques.values()]
        .filter(({ members }) => members.has(userId))
        .flatMap(({ shares }) => shares.get(folderId) ?? [])
      return [...(grants.get(userId) ?? []), ...(carried?.userId === userId ? carried.rights : []), ...shared]
    }
    const own = given(id)
    const above = this.#chain(id).slice(1).flatMap(given)
    return { userId, rights: [...new Set(above)].filter((right) => !own.includes(right)) }
  }

  deleteFolder(userId: number, id: number): void {
    this.#alterable(userId, id)
    this.#remove(id)
  }

  purgeFolder(userId: number, id: number): void {
    this.#need('ADMIN', userId, id)
    this.#empty(id)
  }

  trashFolder(userId: number, id: number): void {
    const folder = this.#alterable(userId, id)
    if (this.isTrashed(id)) this.#remove(id)
    else this.#place(userId, id, this.#trashcan(userId, folder.companyId))
  }

  grant(userId: number, id: number, rights: readonly Right[]): void {
    const folder = this.folders.get(id)
    if (!folder) throw new NotFound('folder')
    if (this.isTrashed(id)) throw new Forbidden()
    folder.grants.set(userId, rights)
    if (folder.carried?.userId === userId) folder.carried = undefined
  }

  /** All that was put into a trashcan goes. */
  expireTrash(): void {
    for (const [id, { system }] of this.folders) if (system === 'trash') this.#empty(id)
  }

  // Files

  addFile(id: number, folder: number): void {
    this.known.files.add(id)
    this.files.set(id, { companyId: this.folders.get(folder)!.companyId, pointers: [{ folder, givesReadAlone: false }] })
  }

  editFile(userId: number, id: number): void {
    this.#sees(userId, id)
    if (!this.fileRights(userId, id).has('WRITE')) throw new Forbidden()
  }

  copyFile(userId: number, id: number, to: number): void {
    this.#sees(userId, id)
    this.#isOwned(id)
    this.#need('WRITE', userId, to)
    this.#sameCompany(id, to)
    this.#mayPublish(userId, id, to)
    const rights = this.fileRights(userId, id)
    const liftsOnly = rights.has('WRITE') && this.foldersOf(id).includes(to)
    if (!rights.has('READ') && !liftsOnly) throw new Forbidden()
    this.files.get(id)!.pointers.push({ folder: to, givesReadAlone: !rights.has('WRITE') })
  }

  replaceFolders(userId: number, id: number, wanted: readonly number[]): void {
    this.#sees(userId, id)
    this.#isOwned(id)
    const file = this.files.get(id)!
    const [rights, held] = [this.fileRights(userId, id), this.foldersOf(id)]
    const mayWrite = (folder: number) => this.rights(userId, folder).has('WRITE')
    for (const folder of wanted) {
      if (this.rights(userId, folder).size === 0) throw new NotFound('folder')
      if (held.includes(folder) && mayWrite(folder)) continue
      if (!rights.has('READ')) throw new Forbidden()
      if (held.includes(folder)) continue
      this.#need('WRITE', userId, folder)
      this.#sameCompany(id, folder)
    }
    for (const folder of wanted) this.#mayPublish(userId, id, folder)
    for (const folder of wanted) {
      if (!held.includes(folder)) file.pointers.push({ folder, givesReadAlone: !rights.has('WRITE') })
    }
    for (const folder of held) if (mayWrite(folder) && !wanted.includes(folder)) this.#take(id, folder)
  }

  moveFile(userId: number, id: number, from: number, to: number): void {
    this.#need('WRITE', userId, from)
    this.#holds(userId, id, from)
    this.#need('WRITE', userId, to)
    this.#sameCompany(id, to)
    this.#mayPublish(userId, id, to)
    this.#move(id, from, to)
    if (this.folders.get(to)!.system === 'cdn') this.files.get(id)!.pointers.push({ folder: to, givesReadAlone: false })
  }

  /** The new file takes the old one's place. */
  replaceLink(userId: number, folder: number, old: number, fresh: number): void {
    const rights = this.rights(userId, folder)
    if (rights.size === 0 || this.folders.get(folder)!.system !== 'cdn') throw new NotFound('link')
    if (!rights.isSupersetOf(TO_PUBLISH)) throw new Forbidden()
    if (!this.linkedIn(old).includes(folder)) throw new NotFound('link')
    this.#sees(userId, fresh)
    if (!this.#isPublishable(userId, fresh)) throw new Forbidden()
    this.#sameCompany(fresh, folder)
    if (old === fresh) return
    this.files.get(fresh)!.pointers.push({ folder, givesReadAlone: false })
    if (this.foldersOf(old).length > 1) this.#take(old, folder)
    else this.#move(old, folder, this.#trashcan(userId, this.folders.get(folder)!.companyId))
  }

  removeFile(userId: number, id: number, from: number): void {
    this.#need('WRITE', userId, from)
    this.#holds(userId, id, from)
    this.#take(id, from)
  }

  trashFile(userId: number, id: number, from: number): void {
    this.#need('WRITE', userId, from)
    this.#holds(userId, id, from)
    if (this.isTrashed(from)) this.#take(id, from)
    else this.#move(id, from, this.#trashcan(userId, this.folders.get(from)!.companyId))
  }

  // Cliques

  createClique(userId: number, companyId: number, id: number | undefined): void {
    this.#needAdmin(userId, companyId)
    this.known.cliques.add(id!)
    this.cliques.set(id!, { companyId, members: new Set(), shares: new Map() })
  }

  deleteClique(userId: number, id: number): void {
    this.#managed(userId, id)
    this.cliques.delete(id)
  }

  addMember(userId: number, id: number, member: number): void {
    const clique = this.#managed(userId, id)
    if (!this.users.get(member)!.companies.has(clique.companyId)) throw new NotFound('user')
    clique.members.add(member)
  }

  removeMember(userId: number, id: number, member: number): void {
    if (!this.#managed(userId, id).members.delete(member)) throw new NotFound('member')
  }

  share(userId: number, id: number, folderId: number, rights: readonly Right[]): void {
    const clique = this.#managed(userId, id)
    if (this.rights(userId, folderId).size === 0) throw new NotFound('folder')
    if (this.folders.get(folderId)!.companyId !== clique.companyId) throw new Invalid({ path: '', message: 'another company' })
    if (this.isTrashed(folderId)) throw new Forbidden()
    clique.shares.set(folderId, rights)
  }

  unshare(userId: number, id: number, folderId: number): void {
    if (!this.#managed(userId, id).shares.delete(folderId)) throw new NotFound('shared folder')
  }

  /** A job of the library takes shares of folders that are gone away. */
  forgetShares(): void {
    for (const { shares } of this.cliques.values()) {
      for (const id of [...shares.keys()]) if (!this.folders.has(id)) shares.delete(id)
    }
  }

  // Rules

  #need(right: Right, userId: number, folderId: number): void {
    const rights = this.rights(userId, folderId)
    if (rights.size === 0) throw new NotFound('folder')
    if (!rights.has(right)) throw new Forbidden()
  }

  #alterable(userId: number, id: number): ModelFolder {
    this.#need('ADMIN', userId, id)
    const folder = this.folders.get(id)!
    if (folder.system) throw new Forbidden()
    return folder
  }

  #needAdmin(userId: number, companyId: number): void {
    const admin = this.users.get(userId)!.companies.get(companyId)
    if (admin === undefined) throw new NotFound('company')
    if (!admin) throw new Forbidden()
  }

  #managed(userId: number, id: number): ModelClique {
    const clique = this.cliques.get(id)
    if (!clique) throw new NotFound('clique')
    this.#needAdmin(userId, clique.companyId)
    return clique
  }

  /** With some right on a folder that holds it a file is there for somebody, whatever the pointer gives; an item with the right to use stock. */
  #sees(userId: number, fileId: number): void {
    const mayKnow = (folder: number) => this.rights(userId, folder).size > 0
    const isSeen = this.#isItem(fileId) ? this.#hasStock(userId) : this.foldersOf(fileId).some(mayKnow)
    if (!isSeen) throw new NotFound('media')
  }

  #isItem(fileId: number): boolean {
    return this.files.get(fileId)?.companyId === CATALOGUE
  }

  #hasStock(userId: number): boolean {
    return [...this.users.get(userId)!.companies.keys()].some((companyId) => this.withStock.has(companyId))
  }

  /** Items are nobody's to place, to show or to throw away. */
  #isOwned(fileId: number): void {
    if (this.#isItem(fileId)) throw new Forbidden()
  }

  /** What is published in a CDN folder already may be put there again. */
  #mayPublish(userId: number, fileId: number, to: number): void {
    if (this.folders.get(to)!.system !== 'cdn' || this.#isFull(fileId, to)) return
    const mayPublish = this.rights(userId, to).isSupersetOf(TO_PUBLISH) && this.#isPublishable(userId, fileId, to)
    if (!mayPublish) throw new Forbidden()
  }

  #isPublishable(userId: number, fileId: number, but?: number): boolean {
    const { companyId, pointers } = this.files.get(fileId)!
    const isAdmin = this.users.get(userId)!.companies.get(companyId)
    const counts = ({ folder, givesReadAlone }: ModelPointer) => folder !== but && (!givesReadAlone || isAdmin)
    return pointers.some((pointer) => counts(pointer) && this.rights(userId, pointer.folder).isSupersetOf(TO_PUBLISH))
  }

  #isFull(fileId: number, folderId: number): boolean {
    return this.files.get(fileId)!.pointers.some(({ folder, givesReadAlone }) => folder === folderId && !givesReadAlone)
  }

  #holds(userId: number, fileId: number, folderId: number): void {
    if (this.foldersOf(fileId).includes(folderId)) return
    this.#sees(userId, fileId)
    this.#isOwned(fileId)
    throw new NotFound('media')
  }

  #chain(folderId: number): number[] {
    const parent = this.folders.get(folderId)!.parent
    return [folderId, ...(parent === null ? [] : this.#chain(parent))]
  }

  #trashcan(userId: number, companyId: number): number {
    const [id] = [...this.folders].find(
      ([, folder]) => folder.system === 'trash' && folder.owner === userId && folder.companyId === companyId,
    )!
    return id
  }

  #remove(folderId: number): void {
    this.#empty(folderId)
    this.folders.delete(folderId)
  }

  #empty(folderId: number): void {
    for (const id of this.files.keys()) this.#take(id, folderId)
    for (const [id, { parent }] of [...this.folders]) if (parent === folderId) this.#remove(id)
  }

  #sameCompany(fileId: number, folderId: number): void {
    const isSame = this.folders.get(folderId)!.companyId === this.files.get(fileId)!.companyId
    if (!isSame) throw new Invalid({ path: '', message: 'another company' })
  }

  #move(fileId: number, from: number, to: number): void {
    for (const pointer of this.files.get(fileId)!.pointers) if (pointer.folder === from) pointer.folder = to
  }

  #take(fileId: number, folderId: number): void {
    const file = this.files.get(fileId)
    if (!file) return
    file.pointers = file.pointers.filter(({ folder }) => folder !== folderId)
    if (file.pointers.length === 0) this.files.delete(fileId)
  }
}
