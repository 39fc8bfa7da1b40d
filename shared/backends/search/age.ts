import type { Removal, SearchDocument } from './port.ts'

/** Orders documents and removals of one file: by revision, a removal after the document of the same revision. */
export function ageOf(change: SearchDocument | Removal): number {
  return 2 * change.revision + ('removed' in change ? 1 : 0)
}
