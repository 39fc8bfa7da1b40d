import type { Readable } from 'node:stream'

/**
 * Snapshots of index files, for deployments where many processes search. One job updates a company's index and stores a compact copy. Searching
 * processes start from that instead of building the index.
 */

/** A copy of a company's index file in storage, compressed (compressed-file.ts). It never changes. */
export interface IndexSnapshot {
  /** Unique within the company. */
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

/** Reading half, for search engines. */
export interface IndexSnapshots {
  /**
   * The snapshots of a company, newest first. None where the company is small, so that its index is soon built.
   * @param format of the index files that the caller can use
   * @throws IndexBehind where the company is not small and has none: one has been asked for
   */
  find(companyId: number, format: number): Promise<readonly IndexSnapshot[]>
  /** Reports an unusable snapshot, which is made again. */
  isUnusable(companyId: number, snapshot: IndexSnapshot, error: unknown): Promise<void>
  /**
   * Reports how many changes an index took from the feed. After many, a new snapshot is requested.
   * @param format of the index file
   * @param began `asOf` of the snapshot that the index began with; 0 where it was built from nothing
   */
  took(companyId: number, format: number, began: number, changes: number): Promise<void>
}

/** Writing half, for the job. */
export interface IndexWriter {
  /** Of the index files that it writes. */
  readonly format: number
  /**
   * Opens a company's index for one job, from the first undamaged snapshot, else an empty one.
   * @returns undefined where searches need no snapshots
   * @throws ObjectsUnavailable
   */
  open(companyId: number, snapshots: readonly IndexSnapshot[]): Promise<OpenIndex | undefined>
}

/** An index that a job works on. Disposal deletes its files. */
export interface OpenIndex extends AsyncDisposable {
  /** The snapshot from which it was opened, if any. */
  readonly base: IndexSnapshot | undefined
  /** The snapshots that could not be used, with the reasons. */
  readonly unusable: readonly { snapshot: IndexSnapshot; error: unknown }[]
  /**
   * Takes the changes since then from the feed.
   * @param milliseconds after which it stops and keeps its progress
   * @returns number of changes, and whether the index has everything that was committed before the call
   */
  catchUp(milliseconds: number): Promise<{ changes: number; isComplete: boolean }>
  /** A compact copy, compressed, and the bytes of its file. Afterwards the index can only be disposed of. */
  pack(): Promise<{ bytes: number; content: Readable }>
}

/** The bytes of a snapshot are missing or changed. */
export class DamagedSnapshot extends Error {
  override name = 'DamagedSnapshot'
}

/** For deployments without snapshots: on one machine one process writes the indexes, and OpenSearch has its own. */
export const noIndexWriter: IndexWriter = {
  format: 0,
  open: async () => undefined,
}
