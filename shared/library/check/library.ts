import type { Clock } from '../../backends/clock/port.ts'
import type { ObjectReader } from '../../backends/objects/port.ts'
import type { TableReader, TableScanner } from '../../backends/table/port.ts'
import type { Notes } from '../../tools/notes.ts'

/** What a check reads. */
export interface Library {
  table: TableReader
  /** The `media` bucket; where it is absent the table alone is checked. */
  media?: ObjectReader | undefined
  clock: Clock
}

/** How something is checked that is suspect. */
export type SuspectKind = 'record' | 'folders' | 'file' | 'original' | 'usage' | 'object' | 'objects'

export type CheckNotes = Notes<SuspectKind>

/** What a check of everything works with. */
export interface CheckedLibrary extends Library {
  scanner: TableScanner
  /** Empty: of this check alone. */
  notes: CheckNotes
}
