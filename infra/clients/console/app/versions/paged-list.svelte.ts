/** Some items, and where more follow. */
export interface Page<Item> {
  items: readonly Item[]
  cursor: string | undefined
}

/** A list that is read page by page, newest first. */
export class PagedList<Item> {
  readonly #read: (cursor?: string) => Promise<Page<Item>>
  items = $state.raw<readonly Item[]>([])
  state = $state<'loading' | 'ready' | 'failed'>('loading')
  failure = $state.raw<unknown>()
  /** Where more follow. */
  #cursor = $state<string>()

  /** @param read asks for a page, without a cursor for the first */
  constructor(read: (cursor?: string) => Promise<Page<Item>>) {
    this.#read = read
  }

  get hasMore(): boolean {
    return this.#cursor !== undefined
  }

  /** Reads as many pages as are shown, at first one. */
  async load(): Promise<void> {
    const shown = this.items.length
    await this.#show(async () => {
      let { items, cursor } = await this.#read()
      while (cursor !== undefined && items.length < shown) {
        const page = await this.#read(cursor)
        items = [...items, ...page.items]
        cursor = page.cursor
      }
      return { items, cursor }
    })
  }

  async more(): Promise<void> {
    await this.#show(async () => {
      const page = await this.#read(this.#cursor)
      return { items: [...this.items, ...page.items], cursor: page.cursor }
    })
  }

  async #show(read: () => Promise<Page<Item>>): Promise<void> {
    try {
      const { items, cursor } = await read()
      this.items = items
      this.#cursor = cursor
      this.state = 'ready'
    } catch (error) {
      this.failure = error
      this.state = 'failed'
    }
  }
}
