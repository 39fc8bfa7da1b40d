import type { IndexEdition } from '../../../shared/backends/search/embedded.ts'
import type { SearchResult, Suggestion } from '../../../shared/backends/search/port.ts'
import type { SentQuery, SentSuggestQuery } from './sent-query.ts'

/** Where an index is. Without its edition it is read as it is. */
export type AnyEdition = Pick<IndexEdition, 'path'> & Partial<IndexEdition>

/** Lists of folders that the reader may not know, by their numbers. */
interface WithLists {
  lists: [number: number, folders: readonly number[]][]
}

/** To a reader: a query, for files or for suggestions; or folders whose files it is to count. */
export type ReaderOrder = AnyEdition &
  (({ query: SentQuery } & WithLists) | ({ suggest: SentSuggestQuery } & WithLists) | { count: readonly number[] })

/** From a reader. `unknown list`: it needs all lists. `unusable`: at the path is no file, a damaged one, or another edition. */
export type ReaderAnswer =
  | { result: SearchResult }
  | { suggestions: Suggestion[] }
  | { counts: number[] }
  | { failed: 'unknown list' | 'unusable' }
  | { error: SentError }

/** What the writer is started with, as JSON in its only argument. */
export interface WriterSetup {
  /** Folder of the index files. */
  directory: string
  /** The table's file. */
  table: string
  /** Milliseconds without an order after which the writer merges what changes have left in many pieces. */
  mergeAfter: number
}

/** To the writer: bring a company's index up to date. */
export interface WriterOrder {
  id: number
  companyId: number
  /** The edition that a reader couldn't use. */
  damaged?: string | undefined
  /** The server's time in UNIX milliseconds: the writer's clock follows it. */
  now: number
}

/** From the writer. */
export type WriterAnswer = { id: number } & (IndexEdition | { error: SentError })

/** An error on its way between processes. */
export interface SentError {
  name: string
  message: string
  stack?: string
}

export function toSentError(thrown: unknown): SentError {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { name, message, ...(stack && { stack }) }
}
