import { SvelteMap } from 'svelte/reactivity'
import { childrenOf, contentsBelow, type FolderContents, type ListedFolder } from './calls.ts'

/** Folders whose contents are asked for at a time. */
const PARALLEL = 4
/** Folders in view whose contents are asked for again at a time. */
const MOST_REFRESHED = 8

/** The folders in one: what lies below each is asked for as it comes into view. */
export class Subfolders {
  readonly folder: number
  /** Absent until they are known. */
  listed = $state.raw<readonly ListedFolder[]>()
  readonly contents = new SvelteMap<number, FolderContents>()
  /** Files in the folder and below it, each once; absent until they are counted. */
  count = $state<number>()
  /** Those that came into view, those that were asked for longest ago first. */
  readonly #seen = new Set<number>()
  readonly #wanted = new Set<number>()
  #working = 0
  #reading: Promise<void> | undefined
  #isStale = false

  constructor(folder: number) {
    this.folder = folder
  }

  /** Asks for the folders, and for what is below some of those in view. */
  async refresh(): Promise<void> {
    this.#isStale = true
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** What can't be read now is read the next time. */
  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      try {
        this.listed = await childrenOf(this.folder)
        for (const id of this.#inViewOf(this.listed)) this.#want(id)
        this.count = this.listed.length > 0 ? (await contentsBelow(this.folder)).count : undefined
      } catch {
        this.listed ??= []
      }
    }
  }

  #inViewOf(listed: readonly ListedFolder[]): number[] {
    const present = new Set(listed.map(({ id }) => id))
    for (const id of this.#seen) if (!present.has(id)) this.#seen.delete(id)
    return [...this.#seen].slice(0, MOST_REFRESHED)
  }

  /** Asks for what is below a folder that came into view. */
  see(id: number): void {
    if (this.#seen.has(id)) return
    this.#seen.add(id)
    this.#want(id)
  }

  #want(id: number): void {
    this.#wanted.add(id)
    if (this.#working < PARALLEL) void this.#work()
  }

  async #work(): Promise<void> {
    this.#working++
    for (const id of this.#wanted) {
      this.#wanted.delete(id)
      this.#seen.delete(id)
      this.#seen.add(id)
      const contents = await contentsBelow(id).catch(() => undefined)
      if (contents) this.contents.set(id, contents)
    }
    this.#working--
  }
}
