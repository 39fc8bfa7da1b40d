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
  /** One is read after the other, so a page goes below what is shown by then. */
  #reading = Promise.resolve()

  /** @param read asks for a page, without a cursor for the first */
  constructor(read: (cursor?: string) => Promise<Page<Item>>) {
    this.#read = read
  }

  get hasMore(): boolean {
    return this.#cursor !== undefined
  }

  /** Reads as many pages as are shown, at first one. */
  load(): Promise<void> {
    return this.#show(async () => {
      const shown = this.items.length
      let { items, cursor } = await this.#read()
      while (cursor !== undefined && items.length < shown) {
        const page = await this.#read(cursor)
        items = [...items, ...page.items]
        cursor = page.cursor
      }
      return { items, cursor }
    })
  }

  more(): Promise<void> {
    return this.#show(async () => {
      if (!this.hasMore) return { items: this.items, cursor: undefined }
      const page = await this.#read(this.#cursor)
      return { items: [...this.items, ...page.items], cursor: page.cursor }
    })
  }

  #show(read: () => Promise<Page<Item>>): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      try {
        const { items, cursor } = await read()
        this.items = items
        this.#cursor = cursor
        this.state = 'ready'
      } catch (error) {
        this.failure = error
        this.state = 'failed'
      }
    })
    return this.#reading
  }
}
