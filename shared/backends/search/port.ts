import type { MediaKind } from '../../vocabulary/media-kind.ts'
import type { Term } from '../../vocabulary/term.ts'

/**
 * The search port. An engine finds ids; answers show files as read from the table, so they are never stale.
 * Rights, recursion and inherited tags are resolved to sets of folder ids by the caller: engines know folders only as numbers.
 */

/** A file as engines index it. Texts are NFC as stored; engines fold case and diacritics themselves. */
export interface SearchDocument {
  mediaId: number
  /** Grows with every change of the document; an older version never replaces a newer one. */
  revision: number
  /** Ids of the folders that hold it; never empty. */
  folders: number[]
  kind: MediaKind
  /** Import time, camera time and time of the last metadata change: UNIX milliseconds. */
  created: number
  cameraCreated: number | null
  modified: number
  /** Pixels after EXIF rotation; null when not known. */
  width: number | null
  height: number | null
  latitude: number | null
  longitude: number | null
  /** `yyyy-mm-dd`; the file is expired from the day after. */
  expires: string | null
  /** Title and description in each language that is searched; no phrase spans two languages. */
  title: string[]
  description: string[]
  keywords: string[]
  suggestedKeywords: string[]
  byline: string
  copyright: string
  filename: string
  /** Of the file as it was uploaded. */
  bytes: number
}

/** Which folders a file must be in (at least one of them). `except`: in at least one other than these. */
export type FolderScope = { only: readonly number[] } | { except: readonly number[] }

export interface SearchQuery {
  terms: Term[]
  scope: FolderScope
  mediaIds?: readonly number[]
  kinds?: readonly MediaKind[]
  /** Inclusive bounds in UNIX milliseconds; a file without that date is left out. */
  date?: { field: 'created' | 'cameraCreated' | 'modified'; min?: number; max?: number }
  /** Strict: a square is neither. */
  orientation?: 'horizontal' | 'vertical'
  minWidth?: number
  minHeight?: number
  /** Either way round: the longer side at least `long`, the shorter at least `short` pixels. */
  minSides?: { long: number; short: number }
  /** `yyyy-mm-dd`, inclusive; files without expiration are left out when given. */
  minExpires?: string
  maxExpires?: string
  /** Leaves out files whose `expires` is before this day (`yyyy-mm-dd`). */
  notExpiredOn?: string
  /**
   * By `filename` and `byline`: by its key (vocabulary/filename-key.ts). By `folder`: by the name of the first folder of a file that is in
   * `folderOrder`. Files that are alike in this are in the order of their ids, but for dates and distances. Those without a value are last either way.
   */
  order: 'relevance' | 'created' | 'cameraCreated' | 'distance' | 'filename' | 'size' | 'byline' | 'kind' | 'expires' | 'folder'
  direction: 'asc' | 'desc'
  /** Where distance is measured from, in degrees; files without coordinates come last. Needed with `order: 'distance'`. */
  near?: { latitude: number; longitude: number }
  /** Folders in the order of their names; a 0 ends those of one name. Needed with `order: 'folder'`. */
  folderOrder?: readonly number[]
  /** limit 0..100,000, offset 0..1,000,000; by relevance together at most 10,000. */
  limit: number
  offset: number
  /** Whether the layout of the page is wanted, too. */
  withLayout?: boolean
}

export interface SearchResult {
  /** Exact number of files that match. */
  total: number
  /** Ids of this page, in order, each once. */
  mediaIds: number[]
  /** The index is being built: there may be more. */
  partial?: true
  layout?: Layout
}

/** Data to lay out a page before its files are loaded. */
export interface Layout {
  /** 100 x width / height of each file, to the nearest whole number; 0 where unknown. */
  ratios: number[]
  /**
   * Files of each day (`yyyy-mm-dd`, UTC) of the order's date, in its order, without files that lack the date. Other orders have no days.
   */
  days: [day: string, files: number][]
}

/** Typed text as folded tokens separated by a space, in each reading. */
export interface SuggestQuery {
  phrases: readonly string[]
  /** `beginning`: phrases with this beginning, the most used first. `near`: phrases within two letters, the nearest first. */
  matching: 'beginning' | 'near'
  scope: FolderScope
  /** 1..20 */
  limit: number
}

/** A keyword as a whole, or a word of a title, of at least one file in the scope. */
export interface Suggestion {
  /** Its folded tokens with a space between. */
  phrase: string
  /** A file in the scope that has it. */
  mediaId: number
}

/** Reading half: what `GET /search` uses. Results take account of everything committed before the call (within the table's settle time). */
export interface SearchEngine {
  /** @throws IndexBehind, IndexTooLarge, SearchBusy */
  search(companyId: number, query: SearchQuery): Promise<SearchResult>
  /**
   * How many files each of these folders holds, at most 60,000 folders.
   * @throws IndexBehind, IndexTooLarge, SearchBusy
   */
  countFiles(companyId: number, folders: readonly number[]): Promise<number[]>
  /** Nothing of files outside of the scope. @throws IndexBehind, IndexTooLarge, SearchBusy */
  suggest(companyId: number, query: SuggestQuery): Promise<Suggestion[]>
}

/** The index isn't up to date within the time that a search waits. Indexing continues: a search after `retryAfter` seconds may succeed. */
export class IndexBehind extends Error {
  override name = 'IndexBehind'
  readonly retryAfter: number
  constructor(message: string, { retryAfter = 2, ...options }: ErrorOptions & { retryAfter?: number } = {}) {
    super(message, options)
    this.retryAfter = retryAfter
  }
}

/** The query timed out, or the queue is full. A retry may succeed. */
export class SearchBusy extends Error {
  override name = 'SearchBusy'
}

/** There is no room for the company's index. */
export class IndexTooLarge extends Error {
  override name = 'IndexTooLarge'
}

/** The removal of a document. */
export interface Removal {
  mediaId: number
  revision: number
  removed: true
}

/** Orders documents and removals of one file: by revision, a removal after the document of the same revision. */
export function ageOf(change: SearchDocument | Removal): number {
  return 2 * change.revision + ('removed' in change ? 1 : 0)
}

/** A document or removal with its company. */
export interface CompanyChange {
  companyId: number
  change: SearchDocument | Removal
}

/** A change that an engine refuses for good. */
export interface RefusedChange extends CompanyChange {
  reason: string
}

/** Writing half of an engine to which changes are pushed. */
export interface SearchIndexer {
  /**
   * Indexes changes. Late, repeated and unordered changes are safe: the index takes only changes that are newer than its own version of a file.
   * @returns refused changes
   * @throws Error when some could not be sent after retries; others may be indexed
   */
  index(changes: readonly CompanyChange[]): Promise<RefusedChange[]>
}

export interface FileOfCompany {
  companyId: number
  mediaId: number
}

/** A file in an index: `ageOf` its document or removal. */
export interface IndexedFile extends FileOfCompany {
  age: number
  removed: boolean
}

/** The operator's half of an engine to which changes are pushed. */
export interface SearchIndexAdmin extends SearchIndexer {
  /**
   * Builds a new index and then replaces the old one, so that searches always find everything. Continues an interrupted run. Concurrent runs build
   * the same index.
   * @param read gives all files, a page at a time, from where an earlier page ended
   * @param report is told the number of files from time to time
   * @returns how many files this run indexed, and those that the engine refuses
   * @throws Error when the engine refuses very many, or another run has replaced this one's index. The index in use stays
   */
  rebuild(
    read: (cursor: string | undefined) => Promise<{ changes: CompanyChange[]; cursor?: string | undefined }>,
    report: (files: number) => void,
  ): Promise<{ files: number; refused: RefusedChange[] }>
  /** Entries of at most a thousand files, removals included. Unknown files are left out. */
  find(files: readonly FileOfCompany[]): Promise<IndexedFile[]>
  /** A page of all files that searches find. @param after the last one of the page before */
  list(after: FileOfCompany | undefined): Promise<IndexedFile[]>
}

/** The embedded engine's source of changes: the table's change feed, read by the library. */
export interface DocumentFeed {
  /**
   * Documents and removals that changed since `position`, oldest first, with overlap: the same change may come again.
   * @param position what an earlier call returned; everything from the beginning when absent
   * @returns `more` when another call would return more at once; the same position when nothing is new
   * @throws PositionForgotten
   */
  changes(
    companyId: number,
    position: string | undefined,
  ): Promise<{ changes: (SearchDocument | Removal)[]; position: string; more: boolean }>
  /** The current documents of these files, without removed ones. An index stores no text, so it asks again for files that it has. */
  documents(companyId: number, mediaIds: readonly number[]): Promise<SearchDocument[]>
}

/** The feed has dropped removals after this position, so the caller must rebuild its index from an empty one. */
export class PositionForgotten extends Error {
  override name = 'PositionForgotten'
}
