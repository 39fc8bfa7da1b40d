import { SvelteMap } from 'svelte/reactivity'
import { changeFolder, childrenOf, createFolder, folderNamed, type ListedFolder, pathOf } from './calls.ts'

/** A folder as the tree knows it. */
export interface TreeFolder extends ListedFolder {
  isOpen: boolean
  /** In order of their names; absent until they are asked for. */
  children?: readonly number[]
}

/** A visible line of the tree. */
export interface TreeRow {
  folder: TreeFolder
  level: number
  /** Its place among its siblings, from 1, and how many they are. */
  position: number
  siblings: number
}

/** Open folders that are read again at a time. */
const MOST_REFRESHED = 20

/** The folders of the library, asked for level by level as they are opened. */
class FolderTree {
  readonly folders = new SvelteMap<number, TreeFolder>()
  roots = $state.raw<readonly number[]>()
  /** The lines that are visible where nothing is scrolled away. */
  readonly rows: readonly TreeRow[] = $derived(this.#rowsOf(this.roots ?? [], 1))

  async load(): Promise<void> {
    const roots = (await childrenOf(undefined)).filter(({ permissions }) => !permissions.groups.includes('TRASH'))
    for (const folder of roots) this.#know(folder)
    this.roots = roots.map(({ id }) => id)
    const open = this.rows.filter(({ folder }) => folder.isOpen).slice(0, MOST_REFRESHED)
    await Promise.all(open.map(({ folder }) => this.open(folder.id)))
  }

  get(id: number): TreeFolder | undefined {
    return this.folders.get(id)
  }

  /** Folders from the topmost to one; undefined where the tree doesn't show that. */
  pathTo(id: number): TreeFolder[] | undefined {
    const path: TreeFolder[] = []
    for (let folder = this.folders.get(id); folder && !path.includes(folder); ) {
      path.unshift(folder)
      if (this.roots?.includes(folder.id)) return path
      const above = this.folders.get(folder.parent ?? 0)
      folder = above?.children?.includes(folder.id) ? above : undefined
    }
    return undefined
  }

  async open(id: number): Promise<void> {
    const children = await childrenOf(id)
    for (const child of children) this.#know(child)
    this.#change(id, { isOpen: true, children: children.map((child) => child.id), has_children: children.length > 0 })
  }

  close(id: number): void {
    this.#change(id, { isOpen: false })
  }

  /** Opens all that is above a folder, which then has a line. */
  async reveal(id: number): Promise<void> {
    if (!this.roots) await this.load()
    const path = await pathOf(id)
    for (const { id: above } of path.slice(0, -1)) if (!this.folders.get(above)?.isOpen) await this.open(above)
  }

  /** The first visible folder after another whose name begins with some letters, else any that the library has. */
  async find(start: string, after: number | undefined): Promise<number | undefined> {
    const from = this.rows.findIndex(({ folder }) => folder.id === after)
    const begins = ({ folder }: TreeRow) => folder.name.toLowerCase().startsWith(start.toLowerCase())
    const next = [...this.rows.slice(from), ...this.rows.slice(0, Math.max(0, from))].find(begins)
    if (next) return next.folder.id
    const found = await folderNamed(start)
    if (found !== undefined) await this.reveal(found)
    return found
  }

  async create(name: string, parent: number | undefined): Promise<number> {
    const { id } = await createFolder(name, parent ?? null)
    await this.refresh(parent)
    return id
  }

  async rename(id: number, name: string): Promise<void> {
    await changeFolder(id, { name })
    await this.refresh(this.folders.get(id)?.parent ?? undefined)
  }

  async move(id: number, parent: number | undefined): Promise<void> {
    const from = this.folders.get(id)?.parent ?? undefined
    await changeFolder(id, { parent: parent ?? null })
    await Promise.all([this.refresh(from), this.refresh(parent)])
  }

  /** Asks anew for the topmost folders and for those in open ones. */
  async refreshOpen(): Promise<void> {
    if (this.roots) await this.load()
  }

  /** Asks anew for what lies in a folder. */
  async refresh(id: number | undefined): Promise<void> {
    if (id === undefined || !this.folders.has(id)) await this.load()
    else await this.open(id)
  }

  #know(folder: ListedFolder): void {
    this.folders.set(folder.id, { ...this.folders.get(folder.id), isOpen: this.folders.get(folder.id)?.isOpen ?? false, ...folder })
  }

  #change(id: number, change: Partial<TreeFolder>): void {
    const folder = this.folders.get(id)
    if (folder) this.folders.set(id, { ...folder, ...change })
  }

  /** @param seen folders that have a row: one that moves is at both places between two answers */
  #rowsOf(ids: readonly number[], level: number, seen = new Set<number>()): TreeRow[] {
    const known = ids.filter((id) => !seen.has(id)).flatMap((id) => this.folders.get(id) ?? [])
    for (const { id } of known) seen.add(id)
    return known.flatMap((folder, index) => {
      const row = { folder, level, position: index + 1, siblings: known.length }
      return folder.isOpen && folder.children ? [row, ...this.#rowsOf(folder.children, level + 1, seen)] : [row]
    })
  }
}

export const tree = new FolderTree()
