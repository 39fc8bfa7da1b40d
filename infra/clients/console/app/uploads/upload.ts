import { isInParts } from '../../../client/upload-source.ts'
import type { Wanted } from './batch.ts'
import type { EarlierUploads, Namesake } from './earlier-uploads.ts'
import type { TargetFolders } from './target-folders.ts'

/** `asking`: a file of its name is there, and the user is asked what to do. `replaced`: it is a new version of a file. */
export type UploadState = 'waiting' | 'asking' | 'sending' | Ended
export type Ended = 'uploaded' | 'replaced' | 'existing' | 'skipped' | 'failed'

/** What becomes of a file whose name is taken. */
export type Choice = 'replace' | 'keep both' | 'skip'

/** Where files of a batch go. */
export interface Destination {
  readonly folders: TargetFolders
  readonly earlier: Promise<EarlierUploads>
}

/** A file on its way. Plain, because there may be 20,000: the queue tells the page of changes. */
export interface Upload {
  readonly wanted: Wanted
  /** Absent until the browser has told it. */
  file?: File | undefined
  /** Absent for a new version of a certain file. */
  readonly to?: Destination
  state: UploadState
  /** Whether it is known what becomes of it. */
  isDecided?: boolean
  /** The file of its name that is there. */
  namesake?: Namesake | undefined
  /** What the user decided about that. */
  choice?: Choice | undefined
  /** The file that it replaces. */
  replaces?: number | undefined
  /** Whether that had the same bytes when it arrived, and so got no version. */
  isUnchanged?: boolean
  /** Called when it has arrived as a new version, whose import begins. */
  readonly onreplaced?: () => void
  /** Bytes that have arrived. */
  sent: number
  failure?: unknown
  /** Of the file, or of the one that is there already. */
  mediaId?: number | undefined
  /** What resumes an upload that was begun, the file as it was then, and what it replaces. */
  begun?: { file: File; resume: string; replaces?: number | undefined } | undefined
  /** Ends the present try. */
  stop?: AbortController
  isCancelled?: boolean
}

export const isEnded = (state: UploadState): state is Ended => state !== 'waiting' && state !== 'asking' && state !== 'sending'

/** Whether it goes in parts, of which those that have arrived stay for another try. */
export const isLarge = ({ file }: Upload): boolean => file !== undefined && isInParts(file.size)

/** What became of some uploads. */
export type Counts = Record<Ended, number>

export function countsOf(uploads: readonly Upload[]): Counts {
  const counts: Counts = { uploaded: 0, replaced: 0, existing: 0, skipped: 0, failed: 0 }
  for (const { state } of uploads) if (isEnded(state)) counts[state]++
  return counts
}

/** Bytes that have arrived, of all. A file counts a little even where it is empty. Files that aren't opened count as the mean of the others. */
export function progressOf(uploads: readonly Upload[]): { sent: number; total: number; isEstimate: boolean } {
  let [sent, total, opened] = [0, 0, 0]
  for (const { file, state, sent: arrived } of uploads) {
    if (!file && state === 'waiting') continue
    const bytes = (file?.size ?? 0) + 1
    opened++
    total += bytes
    sent += isEnded(state) ? bytes : arrived
  }
  const all = uploads.length
  return { sent, total: opened > 0 ? (total / opened) * all : all, isEstimate: opened < all }
}
