import { existsSync } from 'node:fs'
import type { IndexEdition } from '../../../shared/backends/search/embedded.ts'
import {
  IndexBehind,
  SearchBusy,
  type SearchEngine,
  type SearchQuery,
  type SearchResult,
  type Suggestion,
  type SuggestQuery,
} from '../../../shared/backends/search/port.ts'
import { inTime } from '../../../shared/deadline.ts'
import { Turns } from '../../../shared/library/concurrency/turns.ts'
import { Busy } from '../../../shared/library/errors.ts'
import { ProcessEnded } from '../../../shared/tools/processes/module-process.ts'
import { ProcessPool } from '../../../shared/tools/processes/pool.ts'
import { IndexEditions } from './index-editions.ts'
import { IndexReader } from './index-reader.ts'
import type { IndexWriter } from './index-writer.ts'
import type { AnyEdition, ReaderAnswer } from './messages.ts'

/** Milliseconds without a query after which a reader ends. */
const IDLE = 300_000

/** Milliseconds for which a company whose query was ended for time counts as slow. */
const SLOW_FOR = 600_000

export interface PooledSearchOptions {
  writer: IndexWriter
  /** Path of a company's index file. */
  pathOf(companyId: number): string
  /** A number that grows with every commit to the table. */
  version(): number
  /** Queries at a time, each in a process of its own. */
  readers: number
  /** Milliseconds that a query may wait for its index to be up to date. */
  maxWaitMs: number
  /** Milliseconds that a query may take, and may wait for its turn. */
  longest: number
  /** Milliseconds that a query may take while others wait, where one of its company was ended for time lately. */
  longestOfSlow: number
  /** Queries that wait for their turn, in all and of one company. */
  waiting: number
  waitingOfCompany: number
}

/** Asks a reader of an index. @param longest milliseconds that it may take */
type AskReader = (reader: IndexReader, edition: AnyEdition, longest: number) => Promise<ReaderAnswer>

/** Milliseconds that a query waits for an index that another query has waited for in vain. */
const BEHIND = 1_000

/**
 * The search engine of one machine. Queries run in processes of their own, so that a heavy one keeps no other request waiting, and can be
 * ended: SQLite never stops by itself, and a thread ends only when it does. Companies take turns, none has all readers, and one whose query
 * was ended for time has little time while others wait.
 */
export class PooledSearch implements SearchEngine {
  readonly #editions: IndexEditions
  readonly #readers: ProcessPool<IndexReader>
  readonly #turns: Turns
  readonly #maxWaitMs: number
  readonly #longest: number
  readonly #longestOfSlow: number
  readonly #pathOf: (companyId: number) => string
  /** Companies whose queries were ended for time, and when, by the clock of `performance`. */
  readonly #slow = new Map<string, number>()
  /** Companies whose index was not up to date when a query had waited long enough. */
  readonly #behind = new Set<number>()

  constructor({ writer, pathOf, version, readers, maxWaitMs, longest, longestOfSlow, waiting, waitingOfCompany }: PooledSearchOptions) {
    this.#editions = new IndexEditions(writer, version)
    this.#readers = new ProcessPool({ start: () => new IndexReader(), size: readers, idleMilliseconds: IDLE })
    const atOncePerSource = Math.max(1, readers - 1)
    this.#turns = new Turns({ atOnce: readers, atOncePerSource, waiting, waitingPerSource: waitingOfCompany })
    this.#maxWaitMs = maxWaitMs
    this.#longest = longest
    this.#longestOfSlow = longestOfSlow
    this.#pathOf = pathOf
  }

  async search(companyId: number, query: SearchQuery): Promise<SearchResult> {
    const ask: AskReader = (reader, edition, longest) => reader.answer(edition, query, longest)
    const edition = await this.#current(companyId)
    return edition instanceof IndexBehind
      ? { ...resultOf(await this.#withoutRecentChanges(companyId, ask, edition)), partial: true }
      : resultOf(await this.#askUpToDate(companyId, ask, edition))
  }

  async suggest(companyId: number, query: SuggestQuery): Promise<Suggestion[]> {
    const ask: AskReader = (reader, edition, longest) => reader.answer(edition, query, longest)
    const edition = await this.#current(companyId)
    const answer = await (edition instanceof IndexBehind
      ? this.#withoutRecentChanges(companyId, ask, edition)
      : this.#askUpToDate(companyId, ask, edition))
    return 'suggestions' in answer ? answer.suggestions : failed(answer)
  }

  async countFiles(companyId: number, folders: readonly number[]): Promise<number[]> {
    const edition = await this.#current(companyId)
    if (edition instanceof IndexBehind) throw edition
    const answer = await this.#askUpToDate(companyId, (reader, at, longest) => reader.count(at, folders, longest), edition)
    return 'counts' in answer ? answer.counts : failed(answer)
  }

  /** Ends all readers; queries that run or wait fail. */
  close(): Promise<void> {
    return this.#readers.close()
  }

  async #current(companyId: number): Promise<IndexEdition | IndexBehind> {
    const maxWaitMs = this.#behind.has(companyId) ? Math.min(BEHIND, this.#maxWaitMs) : this.#maxWaitMs
    try {
      const edition = await this.#inTime(companyId, this.#editions.current(companyId), maxWaitMs)
      this.#behind.delete(companyId)
      return edition
    } catch (error) {
      if (!(error instanceof IndexBehind)) throw error
      this.#behind.add(companyId)
      return error
    }
  }

  /** Answers from what is in the index so far. @param behind why; thrown where there is no index yet */
  async #withoutRecentChanges(companyId: number, ask: AskReader, behind: IndexBehind): Promise<ReaderAnswer> {
    const path = this.#pathOf(companyId)
    if (!existsSync(path)) throw behind
    const answer = await this.#ask(companyId, { path }, ask)
    if (isUnusable(answer)) throw behind
    return answer
  }

  /** Asks a reader of the company's index; of another one where that can't be used. */
  async #askUpToDate(companyId: number, ask: AskReader, edition: IndexEdition): Promise<ReaderAnswer> {
    const answer = await this.#ask(companyId, edition, ask)
    if (!isUnusable(answer)) return answer
    const another = await this.#inTime(companyId, this.#editions.insteadOf(companyId, edition))
    return this.#ask(companyId, another, ask)
  }

  #inTime(companyId: number, edition: Promise<IndexEdition>, maxWaitMs = this.#maxWaitMs): Promise<IndexEdition> {
    return inTime(edition, maxWaitMs, () => {
      throw new IndexBehind(`the index of company ${companyId} is being brought up to date`)
    })
  }

  async #ask(companyId: number, edition: AnyEdition, askReader: AskReader): Promise<ReaderAnswer> {
    const asked = performance.now()
    const company = String(companyId)
    let longest = this.#longest
    const ask = () => this.#readers.run((reader) => askReader(reader, edition, longest))
    try {
      return await this.#turns.take(company, async () => {
        // Nobody waits for it any more, and those behind it still do.
        if (performance.now() - asked >= this.#longest) throw new SearchBusy(`the query waited for ${this.#longest} ms`)
        if (this.#isSlow(company) && this.#turns.othersWait(company)) longest = this.#longestOfSlow
        return ask().catch((error: unknown) => (hasCrashed(error) ? ask() : Promise.reject(error)))
      })
    } catch (error) {
      if (error instanceof Busy) throw new SearchBusy('too many queries wait', { cause: error })
      if (isTimeout(error)) {
        this.#slow.set(company, performance.now())
        throw new SearchBusy(`the query took longer than ${longest} ms`, { cause: error })
      }
      // The system kills where memory runs out. One that ends by itself would do so again.
      if (wasKilled(error)) throw new SearchBusy('its reader was killed, twice', { cause: error })
      throw error
    }
  }

  #isSlow(company: string): boolean {
    const ended = this.#slow.get(company) ?? Number.NEGATIVE_INFINITY
    if (performance.now() - ended < SLOW_FOR) return true
    this.#slow.delete(company)
    return false
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof ProcessEnded && error.isTimeout
}

function hasCrashed(error: unknown): boolean {
  return error instanceof ProcessEnded && !error.isTimeout
}

function wasKilled(error: unknown): boolean {
  return hasCrashed(error) && (error as ProcessEnded).signal !== null
}

function isUnusable(answer: ReaderAnswer): boolean {
  return 'failed' in answer && answer.failed === 'unusable'
}

function resultOf(answer: ReaderAnswer): SearchResult {
  return 'result' in answer ? answer.result : failed(answer)
}

function failed(answer: ReaderAnswer): never {
  if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
  throw new Error(`a reader can't use the index: ${'failed' in answer ? answer.failed : 'it answered another question'}`)
}
