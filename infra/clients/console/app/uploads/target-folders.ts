import { childrenOf, createFolder } from '../folders/calls.ts'

/** Folders below a target, found by their names or made. */
export class TargetFolders {
  readonly #target: number
  /** Ids of subfolders by name, by folder. */
  readonly #children = new Map<number, Promise<Map<string, number>>>()
  readonly #made = new Map<string, Promise<number>>()
  /** By which the service knows another try to make the same folder. */
  readonly #tries = new Map<string, string>()
  /** Folders in which something was made. */
  readonly changed = new Set<number>()

  constructor(target: number) {
    this.#target = target
  }

  /** The id of a folder. @param path names from the target down */
  async of(path: readonly string[]): Promise<number> {
    if (path.length === 0) return this.#target
    // Macs send names in parts; the library keeps them composed.
    const key = path.map((name) => name.normalize('NFC')).join('/')
    const known = this.#made.get(key)
    if (known) return known
    const found = this.#find(path)
    this.#made.set(key, found)
    found.catch(() => this.#made.delete(key))
    return found
  }

  async #find(path: readonly string[]): Promise<number> {
    const parent = await this.of(path.slice(0, -1))
    const name = path.at(-1)!.normalize('NFC').trim()
    const siblings = await this.#childrenOf(parent)
    const known = siblings.get(name)
    if (known !== undefined) return known
    const { id } = await createFolder(name, parent, this.#keyOf(`${parent}/${name}`))
    siblings.set(name, id)
    this.changed.add(parent)
    return id
  }

  #keyOf(folder: string): string {
    const key = this.#tries.get(folder) ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
    this.#tries.set(folder, key)
    return key
  }

  #childrenOf(id: number): Promise<Map<string, number>> {
    let children = this.#children.get(id)
    if (!children) {
      children = childrenOf(id).then((folders) => new Map(folders.map((folder) => [folder.name, folder.id])))
      this.#children.set(id, children)
      children.catch(() => this.#children.delete(id))
    }
    return children
  }
}
