import { SvelteMap } from 'svelte/reactivity'
import { slicesOf } from '../api/slices.ts'
import type { Chosen } from '../bulk/calls.ts'
import { countFiles, foldersHolding, MOST_ASKED } from '../files/calls.ts'
import type { FileList } from '../files/list.svelte.ts'
import { type Parameters, sentSearch } from '../files/query.ts'
import { folderRights } from './folder-rights.svelte.ts'

/** Files of which each is looked at. Of more it is told by a search, or not at all. */
const MOST_NAMED = 2_000
/** Folders that one search names. */
const MOST_FOLDERS = 100
/** Requests at a time. */
const PARALLEL = 4

/**
 * The part of a selection that the user may do something with. Without a count it is being asked for; `isKnown` is false where it can't be told,
 * and the service is to refuse.
 */
export interface Part {
  count: number | undefined
  isKnown: boolean
  chosen(): Chosen
}

/**
 * What the user may do with the selected files of a list, as long as that shows the same files: rights on a file come from any of the folders that
 * hold it.
 */
export class SelectionRights {
  readonly #list: FileList
  /** The folder out of which files are moved; where there is none, out of all that hold them. */
  readonly #folder: number | undefined
  readonly #holders = new SvelteMap<number, readonly number[]>()
  readonly #counts = new SvelteMap<string, number>()
  readonly #asked = new Set<number | string>()

  constructor(list: FileList, folder: number | undefined) {
    this.#list = list
    this.#folder = folder
  }

  /** Files that may be changed and published. */
  readonly changeable: Part = $derived.by(() => this.#changeable())

  /** Files that may be moved and trashed. */
  readonly movable: Part = $derived.by(() => {
    if (this.#folder === undefined) return this.changeable
    const has = folderRights.has('WRITE', this.#folder)
    if (has === undefined) return folderRights.isKnown ? this.#untold() : this.#awaited()
    return has ? this.#all() : this.#some([])
  })

  /** Folders that hold the selected files, as far as they are known. */
  get holders(): number[] {
    if (this.#folder !== undefined) return [this.#folder]
    const named = this.#list.selection.few(MOST_NAMED) ?? []
    return [...new Set(named.flatMap((id) => this.#holdersOf(id) ?? []))]
  }

  /** Asks for what is not known of the selected files. */
  ask(): void {
    const { selection } = this.#list
    if (this.#hasAll()) return
    const named = selection.few(MOST_NAMED)
    if (named) this.#askForHolders(named.filter((id) => !this.#holdersOf(id)))
    else {
      const search = this.#search()
      if (search) this.#askForCount(search)
    }
  }

  #changeable(): Part {
    if (this.#hasAll()) return this.#all()
    if (!folderRights.isKnown) return this.#awaited()
    const named = this.#list.selection.few(MOST_NAMED)
    if (!named) return this.#found()
    const allowed: number[] = []
    for (const id of named) {
      const holders = this.#holdersOf(id)
      if (!holders) return this.#awaited()
      if (holders.some((folder) => folderRights.offers('WRITE', folder))) allowed.push(id)
    }
    return this.#some(allowed)
  }

  /** Rights on the folder that is shown reach all that is below it. */
  #hasAll(): boolean {
    const { folder_ids: shown } = this.#list.parameters
    return folderRights.hasEverywhere('WRITE') || (shown !== undefined && folderRights.has('WRITE', Number(shown)) === true)
  }

  /** Of many files: those that the same search finds in folders where the user has the right. */
  #found(): Part {
    if (folderRights.topmostWith('WRITE')?.length === 0) return this.#some([])
    const search = this.#search()
    if (!search) return this.#untold()
    const count = this.#counts.get(JSON.stringify(search))
    return count === undefined ? this.#awaited() : { count, isKnown: true, chosen: () => ({ ids: [], whole: { search, expect: count } }) }
  }

  #search(): Parameters | undefined {
    const { selection, parameters } = this.#list
    const folders = folderRights.topmostWith('WRITE')
    if (!selection.isAll || parameters.folder_ids || !folders?.length || folders.length > MOST_FOLDERS) return undefined
    const { all: _, ...search } = sentSearch(parameters)
    return { ...search, folder_ids: folders.join('+'), recursive: 'true' }
  }

  #holdersOf(id: number): readonly number[] | undefined {
    return this.#list.files.get(id)?.folder_ids ?? this.#holders.get(id)
  }

  #askForHolders(ids: readonly number[]): void {
    const wanted = ids.filter((id) => !this.#asked.has(id))
    for (const id of wanted) this.#asked.add(id)
    const slices = slicesOf(wanted, MOST_ASKED).values()
    const work = async () => {
      for (const slice of slices) {
        const found = await foldersHolding(slice, this.#list.scope).catch(() => new Map<number, number[]>())
        // What is told of no folder may not be changed, or is gone.
        for (const id of slice) this.#holders.set(id, found.get(id) ?? [])
      }
    }
    for (let n = 0; n < PARALLEL; n++) void work()
  }

  #askForCount(search: Parameters): void {
    const key = JSON.stringify(search)
    if (this.#asked.has(key)) return
    this.#asked.add(key)
    countFiles(search).then(
      (count) => this.#counts.set(key, count),
      () => this.#asked.delete(key),
    )
  }

  #all(): Part {
    const { selection } = this.#list
    return { count: selection.count, isKnown: true, chosen: () => selection.chosen() }
  }

  #some(ids: readonly number[]): Part {
    return { count: ids.length, isKnown: true, chosen: () => ({ ids }) }
  }

  #untold(): Part {
    return { ...this.#all(), isKnown: false }
  }

  #awaited(): Part {
    return { ...this.#all(), count: undefined }
  }
}
