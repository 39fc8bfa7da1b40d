import type { Readable } from 'node:stream'

/**
 * Snapshots of index files: where many processes search and none has a writer beside it, one job brings a company's index up to date and stores a
 * compact copy, and the others begin with that instead of building the index themselves.
 */

/** A copy of a company's index file in storage, compressed (compressed-file.ts). It never changes. */
export interface IndexSnapshot {
  /** Names it among the company's. */
  name: string
  /** UNIX milliseconds: everything committed before is in it. */
  asOf: number
  /** Bytes of the index file. */
  bytes: number
  /** Bytes of the copy. */
  stored: number
  /** Reads bytes of the copy, both ends included. @throws DamagedSnapshot where they are not there, ObjectsUnavailable */
  read(start: number, end: number): Promise<Readable>
}

/** Reading half: what a search engine asks. */
export interface IndexSnapshots {
  /**
   * The snapshots of a company, newest first. None where the company is small, so that its index is soon built.
   * @param format of the index files that the caller can use
   * @throws IndexBehind where the company is not small and has none: one has been asked for
   */
  find(companyId: number, format: number): Promise<readonly IndexSnapshot[]>
  /** Tells that a snapshot can't be used, and why: it is made again. */
  isUnusable(companyId: number, snapshot: IndexSnapshot, error: unknown): Promise<void>
  /**
   * Tells how many changes an index took from the feed just now. Where it has taken many, a new snapshot is asked for.
   * @param format of the index file
   * @param began `asOf` of the snapshot that the index began with; 0 where it was built from nothing
   */
  took(companyId: number, format: number, began: number, changes: number): Promise<void>
}

/** Writing half: what the job works with. */
export interface IndexWriter {
  /** Of the index files that it writes. */
  readonly format: number
  /**
   * Opens a company's index for one job, from the first of the snapshots that is whole, else from nothing.
   * @returns undefined where searches need no snapshots
   * @throws ObjectsUnavailable
   */
  open(companyId: number, snapshots: readonly IndexSnapshot[]): Promise<OpenIndex | undefined>
}

/** An index that a job works on. Its files are gone when it is disposed of. */
export interface OpenIndex extends AsyncDisposable {
  /** The snapshot that it began with; undefined: nothing. */
  readonly base: IndexSnapshot | undefined
  /** The snapshots that could not be used, with the reasons. */
  readonly unusable: readonly { snapshot: IndexSnapshot; error: unknown }[]
  /**
   * Takes what the feed has since.
   * @param milliseconds after which it stops; what it has done is kept
   * @returns number of changes, and whether the index has everything that was committed before the call
   */
  catchUp(milliseconds: number): Promise<{ changes: number; isComplete: boolean }>
  /** A compact copy, compressed, and the bytes of its file. Afterwards the index can only be disposed of. */
  pack(): Promise<{ bytes: number; content: Readable }>
}

/** The bytes of a snapshot are not there, or not those that were stored. */
export class DamagedSnapshot extends Error {
  override name = 'DamagedSnapshot'
}

/** Where one process writes the indexes that searches read, as on one machine, or OpenSearch has its own, there is nothing to make snapshots for. */
export const noIndexWriter: IndexWriter = {
  format: 0,
  open: async () => undefined,
}
