/** A way to show what a link shows. */
interface Shown {
  /** Absent: the shared folder, or the shared files. */
  folder?: number | undefined
  /** With the files of folders below it. */
  isRecursive: boolean
  /** The file that is looked at. */
  file?: number | undefined
}

/** What the address of the page names. The browser's history leads from folder to folder, and closes a file. */
class Place {
  #shown = $state.raw<Shown>(inAddress())
  /** Whether the file was opened on this page, so that the history has the page without it before. */
  #isOpenedHere = false

  constructor() {
    addEventListener('popstate', () => {
      this.#shown = inAddress()
      this.#isOpenedHere = (history.state as { isOpenedHere?: boolean } | null)?.isOpenedHere ?? false
    })
  }

  get folder(): number | undefined {
    return this.#shown.folder
  }

  get isRecursive(): boolean {
    return this.#shown.isRecursive
  }

  get file(): number | undefined {
    return this.#shown.file
  }

  /** Address of a folder. */
  addressOf(folder: number | undefined, isRecursive = false): string {
    return addressOf({ folder, isRecursive })
  }

  show(folder: number | undefined, { isRecursive = false, replace = false } = {}): void {
    this.#go({ folder, isRecursive }, replace)
  }

  /** Looks at a file. Going from one to the next adds nothing to the history. */
  open(file: number): void {
    const isNext = this.file !== undefined
    if (!isNext) this.#isOpenedHere = true
    this.#go({ ...this.#shown, file }, isNext)
  }

  close(): void {
    if (this.#isOpenedHere) history.back()
    else this.#go({ ...this.#shown, file: undefined }, true)
    this.#isOpenedHere = false
  }

  #go(shown: Shown, replace: boolean): void {
    const state = { isOpenedHere: this.#isOpenedHere && shown.file !== undefined }
    history[replace ? 'replaceState' : 'pushState'](state, '', addressOf(shown))
    this.#shown = shown
  }
}

function inAddress(): Shown {
  const query = new URLSearchParams(location.search)
  const id = (name: string) => (/^[1-9]\d{0,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : undefined)
  return { folder: id('folder'), isRecursive: query.get('recursive') === '1', file: id('file') }
}

function addressOf({ folder, isRecursive, file }: Shown): string {
  const query = new URLSearchParams({
    ...(folder !== undefined && { folder: String(folder) }),
    ...(isRecursive && { recursive: '1' }),
    ...(file !== undefined && { file: String(file) }),
  }).toString()
  return location.pathname + (query && `?${query}`)
}

export const place = new Place()
