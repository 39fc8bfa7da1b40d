import { allFolders, type ListedFolder } from '../folders/calls.ts'
import { tree } from '../folders/tree.svelte.ts'
import type { Right } from '../sharing/calls.ts'

/** What the user may do in folders. The tree knows it of those that it shows; of all others a list is read where that is not enough. */
class FolderRights {
  #listed = $state.raw<ReadonlyMap<number, ListedFolder>>()
  #isUnreadable = $state(false)

  /** Whether the user has a right on a folder; undefined where that is not known. */
  has(right: Right, id: number): boolean | undefined {
    const folder = tree.get(id) ?? this.#listed?.get(id)
    return folder && holds(folder, right)
  }

  /** Whether what needs a right on a folder is offered: what is never known, as in the trash, is, and the service refuses. */
  offers(right: Right, id: number): boolean {
    return this.has(right, id) ?? this.isKnown
  }

  /** Whether a folder may be renamed, moved and trashed. */
  isAlterable(id: number): boolean {
    const folder = tree.get(id) ?? this.#listed?.get(id)
    return this.offers('ADMIN', id) && !folder?.permissions.groups.includes('PERMANENT')
  }

  /** Whether nothing more will be known of rights than is known now. */
  get isKnown(): boolean {
    return this.#listed !== undefined || this.#isUnreadable || this.hasEverywhere('WRITE')
  }

  /** Whether the user has a right on all folders: rights reach all that is below. False, too, until that is known. */
  hasEverywhere(right: Right): boolean {
    const roots = tree.roots?.flatMap((id) => tree.get(id) ?? [])
    return roots !== undefined && roots.length > 0 && roots.every((folder) => holds(folder, right))
  }

  /** Whether the user has a right on some folder; undefined where that is not known. */
  hasSomewhere(right: Right): boolean | undefined {
    for (const folder of tree.folders.values()) if (holds(folder, right)) return true
    return this.#listed && [...this.#listed.values()].some((folder) => holds(folder, right))
  }

  /** The folders with a right above which there is none; undefined where they are not known. */
  topmostWith(right: Right): number[] | undefined {
    const listed = this.#listed
    if (!listed) return undefined
    const isBelow = ({ parent }: ListedFolder): boolean => {
      const above = listed.get(parent ?? 0)
      return above !== undefined && holds(above, right)
    }
    return [...listed.values()].flatMap((folder) => (holds(folder, right) && !isBelow(folder) ? folder.id : []))
  }

  nameOf(id: number): string | undefined {
    return (tree.get(id) ?? this.#listed?.get(id))?.name
  }

  /** Reads the list of all folders. */
  async load(): Promise<void> {
    const folders = await allFolders()
    this.#listed = new Map(folders.map((folder) => [folder.id, folder]))
  }

  /** Reads the list where the topmost folders don't tell all, and again when rights on these change. */
  watch(): () => void {
    return $effect.root(() => {
      const known = $derived(tree.roots && JSON.stringify(tree.roots.map((id) => tree.get(id)?.permissions.groups)))
      $effect(() => {
        if (known === undefined || this.hasEverywhere('WRITE')) return
        this.load().catch(() => {
          this.#isUnreadable = true
        })
      })
    })
  }
}

const holds = ({ permissions: { groups } }: ListedFolder, right: Right): boolean =>
  groups.includes(right) || (right === 'UPLOAD' && groups.includes('WRITE'))

export const folderRights = new FolderRights()
