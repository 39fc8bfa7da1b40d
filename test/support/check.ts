import { checkLibrary } from '../../shared/library/check/check.ts'
import type { CheckedLibrary, CheckNotes } from '../../shared/library/check/library.ts'
import { Notes } from '../../shared/tools/notes.ts'

/** `checkLibrary` with notes of its own. */
export async function checkStored(library: Omit<CheckedLibrary, 'notes'>, options: Parameters<typeof checkLibrary>[1] = {}) {
  using notes: CheckNotes = new Notes()
  return await checkLibrary({ ...library, notes }, options)
}
