import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectReader } from '../../backends/objects/port.ts'
import type { TableReader, TableScanner } from '../../backends/table/port.ts'
import type { Notes, Suspect } from '../../tools/notes.ts'

/** What a check reads. */
export interface Library {
  table: TableReader
  /** The `media` bucket; where it is absent the table alone is checked. */
  media?: ObjectReader | undefined
  /** The `public` bucket; where it is absent nothing is said of its objects. */
  publicFiles?: ObjectReader | undefined
  clock: Clock
}

/** How a suspect is checked. */
export type SuspectKind =
  | 'record'
  | 'folders'
  | 'file'
  | 'original'
  | 'usage'
  | 'object'
  | 'objects'
  | 'download'
  | 'zip'
  | 'snapshots'
  | 'link'
  | 'public'
  | 'video'
  | 'stream'
  | 'item'

export type CheckSuspect = Suspect<SuspectKind>
export type CheckNotes = Notes<SuspectKind>

/** What a check of everything works with. */
export interface CheckedLibrary extends Library {
  scanner: TableScanner
  /** Empty notes, for this check alone. */
  notes: CheckNotes
}
