import { SvelteMap } from 'svelte/reactivity'
import { describe, type FoundFile, layoutSlice, MOST_ASKED } from './calls.ts'
import { type Parameters, sentSearch } from './query.ts'
import { Selection } from './selection.svelte.ts'

/** Files by which it is seen whether a list changed. */
const COMPARED = 100
/** Files of the first answer, which is there soon, and of each further one. */
const FIRST = 1_000
const FURTHER = 100_000
/** The API tells of no more files of a list, and of few by relevance. */
const MOST_LISTED = 1_100_000
const MOST_RELEVANT = 10_000
/** Files whose texts and pictures' addresses are kept. */
const MOST_KEPT = 6_000

/** Files that a grid shows. */
export interface ShownList {
  readonly length: number
  readonly total: number
  /** In the order of the list, 0 where not known yet. */
  readonly ids: Int32Array<ArrayBuffer>
  /** 100 x width / height of each, 0 where unknown. */
  readonly ratios: Uint16Array<ArrayBuffer>
  readonly days: readonly (readonly [day: string, count: number])[]
  readonly files: ReadonlyMap<number, FoundFile>
  readonly selection: Selection
  /** Asks for texts and pictures of files that are looked at. @param size of pictures, as `320px` */
  show(ids: readonly number[], size: string): Promise<void>
}

/** The files that a search finds: their order and shapes as a whole, texts and pictures of those that are looked at. */
export class FileList implements ShownList {
  readonly parameters: Parameters
  state = $state<'loading' | 'ready' | 'failed'>('loading')
  failure = $state.raw<unknown>()
  /** How many files the search finds. */
  total = $state(0)
  /** Ids in the order of the list, 0 where not known yet. */
  ids = $state.raw(new Int32Array())
  /** 100 x width / height of each, 0 where unknown. */
  ratios = $state.raw(new Uint16Array())
  days = $state.raw<readonly (readonly [day: string, count: number])[]>([])
  readonly files = new SvelteMap<number, FoundFile>()
  readonly selection = new Selection(this)
  readonly #asked = new Set<number>()
  /** Files that are looked at, and the size of their pictures. */
  #shown: { ids: readonly number[]; size: string } = { ids: [], size: '320px' }
  readonly #ended = new AbortController()

  constructor(parameters: Parameters) {
    this.parameters = parameters
  }

  /** Files that can be listed; a search may find more. */
  get length(): number {
    return this.ids.length
  }

  /** Where its files are: those in the trash are found in no other way. */
  get scope(): Parameters {
    const { folder_ids, recursive } = this.parameters
    return folder_ids ? { folder_ids, ...(recursive && { recursive }) } : {}
  }

  async load(): Promise<void> {
    if (this.state === 'failed') this.state = 'loading'
    try {
      await this.#read()
      this.state = 'ready'
      this.failure = undefined
    } catch (error) {
      if (this.#ended.signal.aborted) return
      this.failure = error
      this.state = 'failed'
    }
  }

  /** Shows what others changed since: which files there are, and texts and pictures of those that are looked at. */
  async refresh(): Promise<void> {
    const { signal } = this.#ended
    const { hits, ids } = await layoutSlice(sentSearch(this.parameters), 0, COMPARED, signal)
    if (hits !== this.total || ids.some((id, index) => id !== this.ids[index])) await this.load()
    await this.#describeShown()
  }

  async #describeShown(): Promise<void> {
    const { ids: shown, size } = this.#shown
    if (shown.length === 0) return
    for (const file of await describe(shown, size, this.scope)) {
      const { unique_media_id: id = 0 } = file
      if (JSON.stringify(file) !== JSON.stringify(this.files.get(id))) this.files.set(id, file)
    }
  }

  /** Shows what was changed here. Texts and pictures of files that nobody looks at are asked for when somebody does. */
  async reload(): Promise<void> {
    this.#asked.clear()
    await this.load()
    // What can't be read now is read the next time.
    await this.#describeShown().catch(() => undefined)
  }

  /** Stops all that it still asks for. */
  end(): void {
    this.#ended.abort()
  }

  /** Where a file is in the list; -1 where it is not. */
  indexOf(id: number): number {
    return this.ids.indexOf(id)
  }

  /** Asks for texts and pictures of files that are looked at. @param size of pictures, as `320px` */
  async show(ids: readonly number[], size: string): Promise<void> {
    this.#shown = { ids: ids.filter((id) => id !== 0).slice(0, MOST_ASKED), size }
    const missing = ids.filter((id) => id !== 0 && !this.#asked.has(id)).slice(0, MOST_ASKED)
    if (missing.length === 0) return
    for (const id of missing) this.#asked.add(id)
    try {
      for (const file of await describe(missing, size, this.scope)) if (file.unique_media_id) this.files.set(file.unique_media_id, file)
    } catch {
      // They are asked for again when they are looked at again.
      for (const id of missing) this.#asked.delete(id)
    }
    for (const id of this.files.keys()) {
      if (this.files.size <= MOST_KEPT) break
      this.files.delete(id)
      this.#asked.delete(id)
    }
  }

  /** Forgets what is known of a file, which was changed. */
  forget(id: number): void {
    this.#asked.delete(id)
    this.files.delete(id)
  }

  /** Takes files out of the list that are no longer in it. */
  remove(gone: ReadonlySet<number>): void {
    const kept = [...this.ids.keys()].filter((index) => !gone.has(this.ids[index]!))
    this.total -= this.ids.length - kept.length
    this.ratios = Uint16Array.from(kept, (index) => this.ratios[index]!)
    this.ids = Int32Array.from(kept, (index) => this.ids[index]!)
  }

  async #read(): Promise<void> {
    const search = sentSearch(this.parameters)
    const isByRelevance = search.q !== undefined && (search.order ?? 'relevance') === 'relevance'
    const most = isByRelevance ? MOST_RELEVANT : MOST_LISTED
    const { signal } = this.#ended
    const first = await layoutSlice(search, 0, FIRST, signal)
    const length = Math.min(first.hits, most)
    const ids = new Int32Array(length)
    const ratios = new Uint16Array(length)
    const days = [...first.days]
    ids.set(first.ids.slice(0, length))
    ratios.set(first.ratios.slice(0, length))
    const show = () => {
      this.total = first.hits
      // Views are told of a change by another array.
      this.ids = ids.subarray()
      this.ratios = ratios.subarray()
      this.days = days.slice()
    }
    // A list that is read again changes when all of it is there.
    const isNew = this.ids.length === 0
    if (isNew) {
      show()
      this.state = 'ready'
    }
    for (let offset = first.ids.length; offset < length && offset > 0; offset += FURTHER) {
      const slice = await layoutSlice(search, offset, Math.min(FURTHER, length - offset), signal)
      ids.set(slice.ids.slice(0, length - offset), offset)
      ratios.set(slice.ratios.slice(0, length - offset), offset)
      addDays(days, slice.days)
      if (isNew) show()
    }
    show()
  }
}

/** Slices are cut within a day. */
function addDays(days: [day: string, count: number][], more: readonly [day: string, count: number][]): void {
  for (const [day, count] of more) {
    const last = days.at(-1)
    if (last?.[0] === day) last[1] += count
    else days.push([day, count])
  }
}
