import type { ConsumedObjects, Objects } from '../../backends/objects/port.ts'
import type { Settings } from '../../settings.ts'
import type { DigestObject } from '../jobs/digest-in-runs.ts'
import type { Writing } from '../library.ts'
import type { Inspecting } from './inspect.ts'

/** Dependencies of an import. */
export interface Importing extends Inspecting, Writing {
  uploads: ConsumedObjects
  media: Objects
  settings: Pick<Settings, 'videoPreviews' | 'storageClass'>
}

/** A run of the import of a file. */
export interface ImportRun {
  /** Whether it gives up if the file's own content makes the import fail. */
  lastTry: boolean
  /** Digests a file that isn't fetched whole. */
  digestObject: DigestObject
}

/** A file whose import crashed this often is not inspected again. */
export const MOST_CRASHES = 3
