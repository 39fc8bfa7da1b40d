import { makeFolder } from '../disk/make-folder.ts'
import { CompanyIndex } from './company-index.ts'
import { countFiles, type IndexFile, isFull } from './index-file.ts'
import { deleteArriving, deleteIndex, indexPath, indexSizes } from './index-folder.ts'
import {
  type DocumentFeed,
  IndexTooLarge,
  type SearchEngine,
  type SearchQuery,
  type SearchResult,
  type Suggestion,
  type SuggestQuery,
} from './port.ts'
import { answer } from './query.ts'
import type { IndexSnapshots } from './snapshots/port.ts'
import { suggest } from './suggest.ts'

/** Index files that stay open. When more are used, the least recently used one is closed. */
const MOST_OPEN = 64

export interface EmbeddedSearchOptions {
  /** Folder of the index files, one per company; made when missing. Only this engine uses it while it is open. */
  directory: string
  /** Source of changes. */
  feed: DocumentFeed
  /** Source of new companies' index files. Without it they are built from the feed. */
  snapshots?: IndexSnapshots
  /** Milliseconds that a search waits until its index is up to date; without limit where absent. */
  maxWaitMs?: number
  /** Most bytes of all index files. Beyond it the least recently used ones are deleted. */
  maxBytes?: number
}

/** Path and edition of an index. A rebuilt file at the same path is another edition. */
export interface IndexEdition {
  path: string
  edition: string
}

/**
 * The search engine inside of the process: a full-text index in SQLite per company, brought up to date from the change feed before each
 * query, so that no answer is stale. The files are disposable: one that is missing, damaged or of another version is built again.
 *
 * Queries run on the calling thread. A function answers one request at a time; the server of one machine has other processes answer queries
 * from the files that this engine keeps up to date (infra/local/search). Indexing gives way to other work about every 100 ms.
 */
export class EmbeddedSearch implements SearchEngine {
  readonly #options: EmbeddedSearchOptions
  /** In order of last use. */
  readonly #indexes = new Map<number, CompanyIndex>()
  /** Companies whose index alone takes more than all index files may. */
  readonly #tooLarge = new Set<number>()
  #closed = false

  constructor(options: EmbeddedSearchOptions) {
    makeFolder(options.directory)
    deleteArriving(options.directory)
    this.#options = options
  }

  search(companyId: number, query: SearchQuery): Promise<SearchResult> {
    return this.#use(companyId, (index) => answer(index, query))
  }

  countFiles(companyId: number, folders: readonly number[]): Promise<number[]> {
    return this.#use(companyId, (index) => countFiles(index, folders))
  }

  suggest(companyId: number, query: SuggestQuery): Promise<Suggestion[]> {
    return this.#use(companyId, (index) => suggest(index, query))
  }

  /**
   * Brings the company's index up to date, for a reader of the file (`IndexFile.readOnly`).
   * @param damaged edition that a reader couldn't use. It is rebuilt unless it was replaced meanwhile
   * @throws IndexBehind, IndexTooLarge
   */
  upToDate(companyId: number, damaged?: string): Promise<IndexEdition> {
    if (damaged !== undefined) this.#indexOf(companyId).damaged(damaged)
    return this.#use(companyId, ({ path, edition }) => ({ path, edition }))
  }

  /** Merges indexes in many pieces, which make searches up to twice as slow. For idle times. */
  async mergeWorn(): Promise<void> {
    for (const index of [...this.#indexes.values()]) await index.mergeWorn()
  }

  /** Ends running catch-ups (their callers get an `AbortError`) and closes all files. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#indexes.values()].map((index) => index.close()))
  }

  /** Where the disk is full, indexes of other companies are deleted to make room. */
  async #use<T>(companyId: number, work: (index: IndexFile) => T): Promise<T> {
    const { maxBytes } = this.#options
    while (!this.#tooLarge.has(companyId)) {
      try {
        return await this.#useOnce(companyId, work)
      } catch (error) {
        if (!isFull(error)) throw error
        if (maxBytes === undefined) break
        if (!this.#makeRoom(0, companyId)) this.#giveUp(companyId)
      } finally {
        if (maxBytes !== undefined) this.#makeRoom(maxBytes, companyId)
      }
    }
    throw new IndexTooLarge(`there is no room for the index of company ${companyId}`)
  }

  async #useOnce<T>(companyId: number, work: (index: IndexFile) => T): Promise<T> {
    if (this.#closed) throw new Error('the search engine is closed')
    const result = this.#indexOf(companyId).use(work)
    this.#closeOldest()
    return await result
  }

  /** The company's index. Marks it as most recently used. */
  #indexOf(companyId: number): CompanyIndex {
    const path = indexPath(this.#options.directory, companyId)
    const makeRoom = (bytes: number) => void this.#makeRoom(Math.max(0, (this.#options.maxBytes ?? Infinity) - bytes), companyId)
    const index = this.#indexes.get(companyId) ?? new CompanyIndex({ ...this.#options, companyId, path, makeRoom })
    this.#indexes.delete(companyId)
    this.#indexes.set(companyId, index)
    return index
  }

  /** The disk of a function doesn't grow: building the index again would fail again. */
  #giveUp(companyId: number): void {
    this.#tooLarge.add(companyId)
    this.#discard(companyId)
  }

  /** Deletes idle indexes until the total is within so many bytes. @returns whether it deleted any */
  #makeRoom(bytes: number, but: number): boolean {
    const sizes = indexSizes(this.#options.directory)
    const longestAgoFirst = new Set(sizes.keys()).difference(this.#indexes).union(this.#indexes)
    let total = sizes.values().reduce((sum, size) => sum + size, 0)
    let deleted = false
    for (const companyId of longestAgoFirst) {
      if (total <= bytes) break
      if (companyId === but || !this.#discard(companyId)) continue
      total -= sizes.get(companyId) ?? 0
      deleted = true
    }
    return deleted
  }

  /** Deletes an index if it is idle. */
  #discard(companyId: number): boolean {
    const index = this.#indexes.get(companyId)
    if (index && !index.idle) return false
    if (index) index.discard()
    else deleteIndex(indexPath(this.#options.directory, companyId))
    this.#indexes.delete(companyId)
    return true
  }

  #closeOldest(): void {
    for (const [companyId, index] of this.#indexes) {
      if (this.#indexes.size <= MOST_OPEN) return
      if (!index.idle) continue
      this.#indexes.delete(companyId)
      void index.close()
    }
  }
}

/** An engine on index files in a folder. */
export function embeddedSearch(options: EmbeddedSearchOptions): EmbeddedSearch {
  return new EmbeddedSearch(options)
}
