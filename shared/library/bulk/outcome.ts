import type { Operations } from '../../backends/table/port.ts'
import { Forbidden, LibraryError, NotFound } from '../errors.ts'

/** Outcome for one file. `skipped`: nothing to change. */
export type Outcome =
  | { kind: 'changed'; operations: Operations }
  | { kind: 'unchanged' }
  | { kind: 'skipped' }
  | { kind: 'refused'; code: string }

/** The refusal from the error of a single file's change. @throws every other error */
export function refusalOf(error: unknown): Outcome {
  if (!(error instanceof LibraryError)) throw error
  if (error instanceof NotFound) return { kind: 'refused', code: 'not_found' }
  return { kind: 'refused', code: error instanceof Forbidden ? 'forbidden' : error.code }
}
