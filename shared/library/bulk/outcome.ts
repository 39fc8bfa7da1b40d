import type { Operations } from '../../backends/table/port.ts'
import { Forbidden, LibraryError, NotFound } from '../errors.ts'

/** What becomes of one file. `skipped`: it is none of those that are to be changed. */
export type Outcome =
  | { kind: 'changed'; operations: Operations }
  | { kind: 'unchanged' }
  | { kind: 'skipped' }
  | { kind: 'refused'; code: string }

/** Why a file is refused, from the error that a change of it alone would be refused with. @throws every other error */
export function refusalOf(error: unknown): Outcome {
  if (!(error instanceof LibraryError)) throw error
  if (error instanceof NotFound) return { kind: 'refused', code: 'not_found' }
  return { kind: 'refused', code: error instanceof Forbidden ? 'forbidden' : error.code }
}
