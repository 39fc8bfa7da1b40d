import { SvelteMap } from 'svelte/reactivity'
import type { FoundFile } from '../files/calls.ts'
import type { ShownList } from '../files/list.svelte.ts'
import { Selection } from '../files/selection.svelte.ts'
import { type Contents, contents, type SharedFile } from './calls.ts'

/** Files of the first answer, which is there soon, and of each further one. */
const [FIRST, FURTHER] = [100, 500]

/** What a link shows of one folder, or the files that it names. */
export class SharedList implements ShownList {
  readonly folder: number | undefined
  /** With the files of folders below it. */
  readonly isRecursive: boolean
  readonly parameters = {}
  about = $state.raw<Contents>()
  ids = $state.raw(new Int32Array())
  ratios = $state.raw(new Uint16Array())
  readonly days = []
  readonly files = new SvelteMap<number, FoundFile>()
  readonly selection = new Selection(this)
  readonly #size: string
  #loaded: Promise<void> = Promise.resolve()
  #hasEnded = false
  #isWhole = $state(false)

  /** @param place which folder of it @param size of pictures, as `320px` */
  constructor({ folder, isRecursive }: { folder: number | undefined; isRecursive: boolean }, size: string) {
    this.folder = folder
    this.isRecursive = isRecursive
    this.#size = size
  }

  get length(): number {
    return this.ids.length
  }

  /** Files that the link shows here. */
  get count(): number {
    return this.#isWhole ? this.ids.length : (this.about?.file_count ?? 0)
  }

  get total(): number {
    return this.ids.length
  }

  /** Reads page by page, and shows each as it comes. @param onbegun called when the first is there @throws MediaLibraryError */
  load(onbegun: () => void): Promise<void> {
    this.#loaded = this.#load(onbegun)
    return this.#loaded
  }

  async #load(onbegun: () => void): Promise<void> {
    const pages: Contents[] = []
    for await (const page of this.#pages()) {
      pages.push(page)
      this.#take(pages)
      if (pages.length > 1) continue
      this.about = page
      onbegun()
    }
    this.#isWhole = !this.#hasEnded
  }

  /** Reads the files again, and shows what has changed at once. What sends files stays on the page as it is. @throws MediaLibraryError */
  async refresh(): Promise<void> {
    await this.#loaded
    const pages: Contents[] = []
    for await (const page of this.#pages()) pages.push(page)
    if (!this.#hasEnded) this.#take(pages)
  }

  async *#pages(): AsyncGenerator<Contents> {
    for (let next: number | null = 0; next !== null && !this.#hasEnded; ) {
      const page: Contents = await contents(this, { offset: next, count: next === 0 ? FIRST : FURTHER, size: this.#size })
      yield page
      next = page.next
    }
  }

  #take(pages: readonly Contents[]): void {
    const files = pages.flatMap((page) => page.files)
    for (const file of files) this.files.set(file.id, found(file))
    this.ids = Int32Array.from(files, ({ id }) => id)
    this.ratios = Uint16Array.from(files, ratioOf)
  }

  /** Every file comes with its texts and its picture. */
  async show(): Promise<void> {}

  /** Asks for nothing more. */
  end(): void {
    this.#hasEnded = true
  }
}

const ratioOf = ({ width, height }: SharedFile): number => (width && height ? Math.min(65_535, Math.round((100 * width) / height)) : 0)

const found = ({ id, ...file }: SharedFile): FoundFile => ({ unique_media_id: id, ...file })
