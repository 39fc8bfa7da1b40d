import { SvelteSet } from 'svelte/reactivity'
import type { Chosen } from '../bulk/calls.ts'
import { type Parameters, sentSearch } from './query.ts'

/** A list whose files can be selected. */
interface Selectable {
  readonly ids: Int32Array
  readonly total: number
  readonly parameters: Parameters
}

/** The files of a list that are selected: some, or all but some. */
export class Selection {
  readonly #list: Selectable
  readonly #named = new SvelteSet<number>()
  #isAllBut = $state(false)
  /** Where a range begins. */
  #anchor = 0

  constructor(list: Selectable) {
    this.#list = list
  }

  get count(): number {
    return this.#isAllBut ? Math.max(0, this.#list.total - this.#named.size) : this.#named.size
  }

  get isAll(): boolean {
    return this.#isAllBut && this.#named.size === 0
  }

  has(id: number): boolean {
    return this.#named.has(id) !== this.#isAllBut
  }

  /** Ids, in any order; undefined where they may be more than so many. */
  few(most: number): number[] | undefined {
    if (this.#isAllBut) return this.#list.ids.length > most ? undefined : this.ids()
    return this.#named.size > most ? undefined : [...this.#named]
  }

  /** Ids in the order of the list. */
  ids(): number[] {
    const ids: number[] = []
    for (const id of this.#list.ids) if (id !== 0 && this.has(id)) ids.push(id)
    return ids
  }

  /** The same for requests about many files. */
  chosen(): Chosen {
    const { parameters, total } = this.#list
    return { ids: this.ids(), whole: this.isAll ? { search: sentSearch(parameters), expect: total } : undefined }
  }

  clear(): void {
    this.#isAllBut = false
    this.#named.clear()
  }

  selectAll(): void {
    this.#named.clear()
    this.#isAllBut = true
  }

  /** Selects one file and no other. */
  only(index: number): void {
    this.clear()
    this.#set(this.#list.ids[index], true)
    this.#anchor = index
  }

  toggle(index: number): void {
    const id = this.#list.ids[index]
    if (id) this.#set(id, !this.has(id))
    this.#anchor = index
  }

  /** Selects all from where the last range began. */
  rangeTo(index: number): void {
    const [first, last] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)]
    this.clear()
    for (const id of this.#list.ids.subarray(first, last + 1)) this.#set(id, true)
  }

  #set(id: number | undefined, isSelected: boolean): void {
    if (!id) return
    if (isSelected !== this.#isAllBut) this.#named.add(id)
    else this.#named.delete(id)
  }
}
