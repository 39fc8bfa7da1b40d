import type { Operations } from '../../backends/table/port.ts'
import { Forbidden, LibraryError, NotFound } from '../errors.ts'
import type { EditOf } from '../media/after-edit.ts'

/** Outcome for one file. `edit`: that of its metadata, whose jobs are asked for. `skipped`: an undo of a file that was not changed. */
export type Outcome =
  | { kind: 'changed'; operations: Operations; edit?: EditOf }
  | { kind: 'unchanged' }
  | { kind: 'skipped' }
  | { kind: 'refused'; code: string }

/** Maps an error of a single file's change to a refusal. @throws errors that aren't the library's */
export function refusalOf(error: unknown): Outcome {
  if (!(error instanceof LibraryError)) throw error
  if (error instanceof NotFound) return { kind: 'refused', code: 'not_found' }
  return { kind: 'refused', code: error instanceof Forbidden ? 'forbidden' : error.code }
}
